"""Subcommands of this paper."""
