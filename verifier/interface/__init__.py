"""The names that ``import bitreferee`` offers: what the command line does, as functions that return frozen values.

Nothing of it is imported before it is used (:mod:`bitreferee`).
"""
