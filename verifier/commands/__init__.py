"""The command ``verify``: one module for each subcommand, loaded when it is called."""
