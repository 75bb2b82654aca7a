"""The paper's notions as plain functions."""
