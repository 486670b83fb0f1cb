"""Which words turn a message into spam? The few that move a classifier most, from a message that says nothing wrong."""

import numpy as np
import pandas as pd
import treeproof as tp
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer

# Messages made of words that are more or less common in spam.
rng = np.random.default_rng(0)
spam_words = "winner free prize click cash offer urgent viagra".split()
plain_words = "meeting lunch report project thanks family invoice school".split()
common_words = "please today call you now news time week".split()


def message(is_spam: bool) -> str:
    often, seldom = (spam_words, plain_words) if is_spam else (plain_words, spam_words)
    words = [*rng.choice(often, 3), *rng.choice(common_words, 4), *rng.choice(seldom, rng.integers(0, 2))]
    return " ".join(words)


labels = rng.integers(0, 2, 1500)
counter = CountVectorizer(binary=True)
counts = counter.fit_transform([message(label == 1) for label in labels])
words = pd.DataFrame(counts.toarray(), columns=counter.get_feature_names_out())
classifier = GradientBoostingClassifier(n_estimators=40, max_depth=4, random_state=0).fit(words, labels)


def spam(message: dict) -> float:
    """The library's own probability."""
    return classifier.predict_proba(pd.DataFrame([message])[words.columns])[0, 1]


# A message with `meeting` and `today`, and no other word: which two words more make it most likely spam?
given = {"meeting": 1, "today": 1}
report = tp.dominant(classifier, given=given, vary="*", at_most=2, domain=words, threads=1)
before = {word: given.get(word, 0) for word in words.columns}
after = report.witness["b"]
assert report.witness["a"] == before
added = sorted(word for word in after if after[word] != before[word])
assert report.verdict == "optimal" and len(added) <= 2 and spam(after) > spam(before)
print(f"`meeting today`: spam with probability {spam(before):.3f}")
print(f"`meeting today {' '.join(added)}`: {spam(after):.3f}, and no two words do more ({report.verdict})")

# No pair that was tried by hand does better.
tried = [before | {one: 1, two: 1} for one in words.columns for two in words.columns if not {one, two} & given.keys()]
tried = classifier.decision_function(pd.DataFrame(tried)[words.columns])
assert tried.max() <= classifier.decision_function(pd.DataFrame([after])[words.columns])[0] + 1e-9
print(f"tried by hand: {len(tried)} pairs, none does more")
