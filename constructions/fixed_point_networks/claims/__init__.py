"""The claims of the paper, a chapter for each subject."""
