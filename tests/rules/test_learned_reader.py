"""The learned reader: its weights are of today's corpora and tables, and its parts do what they
say."""

import pytest

from tests.support.authors import HELD_OUT
from tidings.features.replies.reading.heard import hear
from tidings.features.replies.reading.learned.calibration import Calibration, Curve
from tidings.features.replies.reading.learned.features import BUCKETS, in_context
from tidings.features.replies.reading.learned.weights import load
from training import examples


def test_the_weights_are_of_these_labels_and_features() -> None:
    seen = load().header.seen
    assert seen == examples.checksum(examples.load()), "the corpora or tables changed: make train"


def test_nothing_is_trained_on_the_authors_held_out() -> None:
    assert not {each.author for each in examples.load()} & {*HELD_OUT}


def test_a_context_gives_every_feature_another_number() -> None:
    features = hear("sorry, something came up").features
    later = in_context(features, "after-yes")
    assert len(later) == len(features)
    assert all(0 <= number < BUCKETS for number in later)
    assert len({*features} & {*later}) < len(features) / 10
    assert later != in_context(features, "after-no")


def test_what_is_said_twice_as_long_is_not_twice_as_sure() -> None:
    model = load()
    once = model.scores(hear("we are coming with pleasure").features)
    twice = model.scores(hear("we are coming with pleasure " * 2).features)
    assert 0 < twice.yes < 1.5 * once.yes


STEPS = [(0.9, 0.5), (0.99, 0.8)]
CURVE = Curve(base=0.0, own=1.0, other=0.0, agrees=1.0, differs=-1.0)


def test_a_threshold_lies_between_the_precisions_measured() -> None:
    calibration = Calibration({"others": CURVE}, {"others": STEPS})
    assert calibration.threshold("en", 0.9) == 0.5
    assert calibration.threshold("en", 0.945) == pytest.approx(0.65)
    assert calibration.threshold("en", 0.999) == 0.8
    assert calibration.threshold("en", 0.5) == 0.5


def test_where_the_rules_agree_it_is_surer() -> None:
    agreed = CURVE.confidence(1.0, 0.0, agrees=True, differs=False)
    alone = CURVE.confidence(1.0, 0.0, agrees=False, differs=False)
    against = CURVE.confidence(1.0, 0.0, agrees=False, differs=True)
    assert 0 < against < alone < agreed < 1
    assert CURVE.confidence(1e9, 0.0, agrees=True, differs=False) <= 1
