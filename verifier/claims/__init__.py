"""Claims: the record of one numbered statement of a paper, how it is asked, judged, and put together from parts."""
