"""Constructions as data: files, their errata, and what they become at given parameters."""
