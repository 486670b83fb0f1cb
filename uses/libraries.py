"""Models in the hands of the libraries that trained them: the judges of what treeproof says about them."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np
import onnxruntime
import pandas as pd
import xgboost

Input = dict[str, Any]


class Trained:
    """A model as the scikit-learn classes of XGBoost and LightGBM predict it; data like that of training says what a column holds."""

    def __init__(self, model: xgboost.XGBModel | lightgbm.LGBMModel, like: pd.DataFrame) -> None:
        self.model, self.kinds = model, dict(like.dtypes)
        self.margin = {"raw_score": True} if isinstance(model, lightgbm.LGBMModel) else {"output_margin": True}

    @classmethod
    def load(cls, file: bytearray, kind: type[xgboost.XGBModel], columns: list[str] | None = None) -> Trained:
        """A model of XGBoost that knows numbers only."""
        model = kind(n_jobs=1)
        model.load_model(file)
        return cls(model, pd.DataFrame(columns=columns or model.get_booster().feature_names, dtype=np.float64))

    def __str__(self) -> str:
        return f"{type(self.model).__name__}"

    def table(self, inputs: list[Input] | pd.DataFrame) -> pd.DataFrame:
        """Columns as in training; missing values of an answer are `None`."""
        return pd.DataFrame(inputs, columns=list(self.kinds)).astype(self.kinds)

    def margins(self, inputs: list[Input] | pd.DataFrame) -> np.ndarray:
        return np.asarray(self.model.predict(self.table(inputs), **self.margin), dtype=np.float64)

    def labels(self, inputs: list[Input] | pd.DataFrame) -> list[str]:
        return [str(label) for label in self.model.predict(self.table(inputs))]

    def probabilities(self, inputs: list[Input] | pd.DataFrame) -> np.ndarray:
        """Of the second class."""
        return self.model.predict_proba(self.table(inputs))[:, 1]


class Onnx:
    """A regression in ONNX, as onnxruntime computes it on one thread."""

    def __init__(self, file: str, columns: list[str]) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session, self.columns = onnxruntime.InferenceSession(file, options), columns

    def __str__(self) -> str:
        return "onnxruntime"

    def margins(self, inputs: list[Input] | pd.DataFrame) -> np.ndarray:
        rows = pd.DataFrame(inputs, columns=self.columns).to_numpy(dtype=np.float32)
        return self.session.run(None, {self.session.get_inputs()[0].name: rows})[0].ravel().astype(np.float64)
