"""Subcommands of the paper."""
