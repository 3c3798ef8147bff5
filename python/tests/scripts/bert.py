"""BERT for sentences of two classes, by the Trainer of transformers."""
import tempfile
import time

import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainerCallback, TrainingArguments

torch.manual_seed(0)
config = BertConfig(vocab_size=100, hidden_size=64, num_hidden_layers=2, num_attention_heads=4, intermediate_size=128,
                    max_position_embeddings=32,
                    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, num_labels=2)
model = BertForSequenceClassification(config)
tokens = torch.randint(5, 100, (64, 16))
samples = [{"input_ids": row, "attention_mask": torch.ones(16, dtype=torch.long), "labels": int(row[0] > 50)}
           for row in tokens]


class Clock(TrainerCallback):
    def on_epoch_begin(self, args, state, control, **more):
        self.begin = time.perf_counter()

    def on_epoch_end(self, args, state, control, **more):
        self.seconds = time.perf_counter() - self.begin

    def on_log(self, args, state, control, logs=None, **more):
        if "loss" in logs:
            print(f"epoch {round(state.epoch) - 1} loss {float(logs['loss']):.6f} seconds {self.seconds:.4f}")


with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(folder, per_device_train_batch_size=8, num_train_epochs=3, learning_rate=1e-3,
                                  logging_strategy="epoch", save_strategy="no",
                                  report_to=[], disable_tqdm=True, use_cpu=True, seed=1)
    Trainer(model, arguments, train_dataset=samples, callbacks=[Clock()]).train()
