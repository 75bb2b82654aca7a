"""What the paper is about: the operations, exactly and on arrays, and networks made of them."""
