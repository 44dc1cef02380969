"""`make train`: the weights of the learned reader, from the labelled replies in tests/corpus."""
