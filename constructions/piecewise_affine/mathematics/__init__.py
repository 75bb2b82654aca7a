"""The objects of the paper: the operations, exactly and on arrays, and networks made of them."""
