"""Fields of forms as the requests take them."""

from __future__ import annotations

from typing import Any

import pytest

from flipdrop.interface.web.i18n import LANGUAGES, texts
from flipdrop.interface.web.jobs.requests import JobRequest, LearnRequest, MatchRequest, TournamentRequest
from flipdrop.interface.web.pages.job_forms import (
    EvolveForm,
    JobForm,
    LadderForm,
    LearnForm,
    MatchForm,
    TournamentForm,
    TrainForm,
    parse_field,
)

FORMS = (MatchForm, TournamentForm, LadderForm, EvolveForm, LearnForm, TrainForm)


@pytest.mark.parametrize(
    ("request_type", "name", "written", "value"),
    [
        (MatchRequest, "games", " 30 ", 30),
        (MatchRequest, "clock", "10", "10"),
        (MatchRequest, "sprt", "0,20", "0,20"),
        (MatchRequest, "seed", "", None),
        (TournamentRequest, "gauntlet", "2", 2),
        (LearnRequest, "seconds", "60", 60.0),
        (LearnRequest, "rate", "1e-3", 0.001),
        (LearnRequest, "rate", "fast", "fast"),
        (LearnRequest, "rule", "td", "td"),
    ],
)
def test_parse_field(request_type: type[JobRequest], name: str, written: str, value: Any) -> None:
    assert parse_field(request_type, name, written) == value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind())
def test_fields_have_labels(form: type[JobForm], language: str) -> None:
    fields = form.request.model_fields
    assert {*form.names, *form.more, *form.initial} <= fields.keys()
    for name in (*form.names, *form.more):
        assert texts(language)[f"option.{name}"]
