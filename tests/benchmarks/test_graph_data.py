"""The generated graph has the numbers it should have, and the benchmark's queries their truth."""

from graph_data import AUTHORS, EDGES, PAPERS, generated_graph
from graphs import ask, released, truth
from papilio.query.graph.grouped import grouped_graph


def test_numbers_of_the_generated_graph():
    frames = generated_graph(0.002)
    assert frames["left"].height == int(AUTHORS * 0.002)
    assert frames["right"].height == int(PAPERS * 0.002)
    assert frames["edges"].height == int(EDGES * 0.002) == frames["edges"].unique().height


def test_bounds_of_the_benchmark_hold_the_truth():
    frames = generated_graph(0.002)
    graph = grouped_graph(released(frames, 5, 5, "degree"))
    for query in "ABC":
        found, right = ask(graph, query, 50), truth(frames, query, 50)
        assert found.lo - 1e-9 <= right <= found.hi + 1e-9
