"""Many judgements, each a job of its own: resumable, on local processes or on a Dask cluster."""
