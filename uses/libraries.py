"""Models in the hands of the libraries that trained them: the judges of what treeproof says about them."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np
import onnxruntime
import pandas as pd
import xgboost

Input = dict[str, Any]


class XGBoost:
    """A model whose features are numbers, as XGBoost's scikit-learn classes predict it."""

    def __init__(self, model: xgboost.XGBModel, columns: list[str]) -> None:
        self.model, self.columns = model, columns

    @classmethod
    def load(cls, file: bytearray, kind: type[xgboost.XGBModel], columns: list[str] | None = None) -> XGBoost:
        model = kind(n_jobs=1)
        model.load_model(file)
        return cls(model, columns or model.get_booster().feature_names)

    def __str__(self) -> str:
        return f"XGBoost {xgboost.__version__}"

    def matrix(self, inputs: list[Input]) -> np.ndarray:
        values = [[one[column] for column in self.columns] for one in inputs]
        return np.array([[np.nan if value is None else value for value in row] for row in values], dtype=np.float64)

    def margins(self, inputs: list[Input]) -> np.ndarray:
        return self.model.predict(self.matrix(inputs), output_margin=True)

    def labels(self, inputs: list[Input]) -> list[str]:
        return [str(label) for label in self.model.predict(self.matrix(inputs))]

    def probabilities(self, inputs: list[Input]) -> np.ndarray:
        return self.model.predict_proba(self.matrix(inputs))[:, 1]


class LightGBM:
    """A model with numbers and categories, as LightGBM's scikit-learn classes predict it."""

    def __init__(self, model: lightgbm.LGBMModel, like: pd.DataFrame) -> None:
        self.model, self.like = model, like

    def __str__(self) -> str:
        return f"LightGBM {lightgbm.__version__}"

    def frame(self, inputs: list[Input]) -> pd.DataFrame:
        columns = {}
        for name, kind in self.like.dtypes.items():
            values = [one[name] for one in inputs]
            columns[name] = pd.Categorical(values, dtype=kind) if kind == "category" else np.array(values, dtype=np.float64)
        return pd.DataFrame(columns)

    def margins(self, inputs: list[Input]) -> np.ndarray:
        return self.model.predict(self.frame(inputs), raw_score=True)

    def labels(self, inputs: list[Input]) -> list[str]:
        return [str(label) for label in self.model.predict(self.frame(inputs))]

    def probabilities(self, inputs: list[Input]) -> np.ndarray:
        return self.model.predict_proba(self.frame(inputs))[:, 1]


class Onnx:
    """A regression in ONNX, as onnxruntime computes it on one thread."""

    def __init__(self, file: str, columns: list[str]) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session, self.columns = onnxruntime.InferenceSession(file, options), columns

    def __str__(self) -> str:
        return f"onnxruntime {onnxruntime.__version__}"

    def margins(self, inputs: list[Input]) -> np.ndarray:
        rows = np.array([[one[column] for column in self.columns] for one in inputs], dtype=np.float32)
        return self.session.run(None, {self.session.get_inputs()[0].name: rows})[0].ravel()
