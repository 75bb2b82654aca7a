"""Run many judgements as separate jobs, on local processes or on a Dask cluster; a sweep can be resumed."""
