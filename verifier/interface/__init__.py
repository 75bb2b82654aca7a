"""The names that ``import bitreferee`` offers: the command line's verbs as functions that return frozen values.

Nothing is imported before it is used (:mod:`bitreferee`).
"""
