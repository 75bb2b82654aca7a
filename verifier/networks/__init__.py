"""Constructions as data: files, their errata, and their instances at given parameters."""
