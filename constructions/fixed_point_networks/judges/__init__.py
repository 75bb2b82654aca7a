"""Judgements that several claims share."""
