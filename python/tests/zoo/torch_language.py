"""Language, speech and contrastive models of transformers. Real classes; small configurations."""
import functools

import torch

from table import Entry

WORDS, LENGTH = 50, 8
DECODER = {"vocab_size": WORDS, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2,
           "num_attention_heads": 4,
           "max_position_embeddings": 16}
GROUPED = DECODER | {"num_key_value_heads": 2}
ENCODER = DECODER
GPT2 = {"vocab_size": WORDS, "n_embd": 16, "n_layer": 2, "n_head": 4, "n_positions": 16}


def words(rows=4, length=LENGTH):
    return torch.randint(5, WORDS, (rows, length))


def plain():
    x = words()
    return {"input_ids": x, "labels": x}


def masked():
    """Rows of different lengths, as a tokenizer pads them."""
    x = words()
    mask = torch.ones_like(x)
    for row in range(len(x)):
        mask[row, LENGTH - row:] = 0
    return {"input_ids": x, "attention_mask": mask, "labels": x.masked_fill(mask == 0, -100)}


def trained(model, make):
    return model, torch.optim.AdamW(model.parameters(),
                                    lr=1e-3), lambda model, batch: model(**batch).loss, [make()
                                                                                         for _ in range(2)], {
                                                                                             "clip": 1.0}


def of(kind, batch, head=None, config_class=None, **config):
    """A class of transformers and the configuration that belongs to it."""
    def make():
        import transformers
        configuration = getattr(transformers, config_class or f"{kind}Config")(**config)
        model = getattr(transformers, head or f"{kind}ForCausalLM")(configuration)
        return trained(model.train(), batch)
    return make


def pairs():
    return {"input_ids": words(), "labels": words(length=6)}


def whisper_batch():
    return {"input_features": torch.randn(4, 8, 16), "labels": words(length=6)}


WAV2VEC2 = {"vocab_size": 8, "pad_token_id": 0, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 4,
            "intermediate_size": 32, "conv_dim": (8, 8),
            "conv_stride": (5, 2), "conv_kernel": (10, 3), "num_conv_pos_embeddings": 4,
            "num_conv_pos_embedding_groups": 2, "mask_time_prob": 0.0, "layerdrop": 0.0}


def speech():
    labels = torch.randint(1, 8, (4, 4))
    labels[1, 2:] = labels[3, 1:] = -100
    return {"input_values": torch.randn(4, 400), "labels": labels}


def clip():
    import transformers
    config = transformers.CLIPConfig(
        text_config={"vocab_size": WORDS, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1,
                     "num_attention_heads": 2,
                     "max_position_embeddings": 16, "eos_token_id": 2},
        vision_config={"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
                       "image_size": 16, "patch_size": 8},
        projection_dim=8)

    def batch():
        x = words()
        x[:, -1] = WORDS - 1
        return {"input_ids": x, "attention_mask": torch.ones_like(x), "pixel_values": torch.randn(4, 3, 16, 16)}
    model, optimizer, _, batches, options = trained(transformers.CLIPModel(config).train(), batch)
    return model, optimizer, lambda model, batch: model(**batch, return_loss=True).loss, batches, options


def image_classes():
    return {"pixel_values": torch.randn(4, 3, 16, 16), "labels": torch.randint(0, 2, (4,))}


def sentence_classes():
    return {key: value for key, value in masked().items() if key != "labels"} | {"labels": torch.randint(0, 2, (4,))}


SEQUENCES = {"vocab_size": WORDS, "d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2,
             "decoder_attention_heads": 2,
             "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "max_position_embeddings": 16}
decoder = functools.partial(of, batch=plain)
ENTRIES = [
    Entry("transformers/gpt2", of("GPT2", plain, "GPT2LMHeadModel", **GPT2), "two layers of width 16", quick=True),
    Entry("transformers/gpt_neo", of("GPTNeo", plain, vocab_size=WORDS, hidden_size=16, num_layers=2, num_heads=4,
                                     max_position_embeddings=16,
                                     attention_types=[[["global", "local"], 1]], window_size=4),
          "two layers of width 16", local=True),
    Entry("transformers/gpt_neox", decoder("GPTNeoX", **DECODER), "two layers of width 16", local=True),
    Entry("transformers/opt", decoder("OPT", vocab_size=WORDS, hidden_size=16, ffn_dim=32, num_hidden_layers=2,
                                      num_attention_heads=4,
                                      max_position_embeddings=16, word_embed_proj_dim=16), "two layers of width 16"),
    Entry("transformers/bloom", decoder("Bloom", vocab_size=WORDS, hidden_size=16, n_layer=2, n_head=4),
          "two layers of width 16"),
    Entry("transformers/llama", decoder("Llama", **GROUPED), "two layers of width 16, two heads of keys", quick=True,
          local=True),
    Entry("transformers/mistral", decoder("Mistral", sliding_window=4, **GROUPED), "two layers of width 16, a window "
          "of 4", local=True),
    Entry("transformers/qwen2", decoder("Qwen2", **GROUPED), "two layers of width 16", local=True),
    Entry("transformers/qwen3", decoder("Qwen3", head_dim=4, **GROUPED), "two layers of width 16", local=True),
    Entry("transformers/gemma", decoder("Gemma", head_dim=4, **GROUPED), "two layers of width 16", local=True),
    Entry("transformers/phi", decoder("Phi", **DECODER), "two layers of width 16", local=True),
    Entry("transformers/falcon", decoder("Falcon", vocab_size=WORDS, hidden_size=16, num_hidden_layers=2,
                                         num_attention_heads=4), "two layers of width 16", local=True),
    Entry("transformers/mixtral", decoder("Mixtral", num_local_experts=4, num_experts_per_tok=2, **GROUPED),
          "two layers, 4 experts, 2 for each token", local=True),
    Entry("transformers/mamba", decoder("Mamba", vocab_size=WORDS, hidden_size=16, state_size=4, num_hidden_layers=1),
          "one layer of width 16", local=True),
    Entry("transformers/gptj", decoder("GPTJ", vocab_size=WORDS, n_embd=16, n_layer=2, n_head=2, n_positions=16,
                                       rotary_dim=4), "two layers of width 16", local=True),
    Entry("transformers/phi3", decoder("Phi3", pad_token_id=0, **GROUPED), "two layers of width 16", local=True),
    Entry("transformers/gemma2", decoder("Gemma2", head_dim=4, **GROUPED), "two layers of width 16", local=True),
    Entry("transformers/olmo2", decoder("Olmo2", **GROUPED), "two layers of width 16", local=True),
    Entry("transformers/qwen2_moe", decoder("Qwen2Moe", num_experts=4, num_experts_per_tok=2, moe_intermediate_size=8,
                                            shared_expert_intermediate_size=8, **GROUPED),
          "two layers, 4 experts, 2 for each token"),
    Entry("transformers/rwkv", decoder("Rwkv", vocab_size=WORDS, hidden_size=16, num_hidden_layers=2, context_length=16,
                                       attention_hidden_size=16, intermediate_size=32),
          "two layers of width 16", local=True),
    Entry("transformers/mamba2", decoder("Mamba2", vocab_size=WORDS, hidden_size=16, num_hidden_layers=1, state_size=8,
                                         num_heads=4, head_dim=8, n_groups=1, chunk_size=4),
          "one layer of width 16", local=True),
    Entry("transformers/xlnet", of("XLNet", plain, "XLNetLMHeadModel", vocab_size=WORDS, d_model=16, n_layer=2,
                                   n_head=2, d_inner=32), "two layers of width 16"),
    Entry("transformers/fnet", of("FNet", plain, "FNetForMaskedLM", tpu_short_seq_length=LENGTH, vocab_size=WORDS,
                                  hidden_size=16, num_hidden_layers=2,
                                  intermediate_size=32, max_position_embeddings=16), "two layers of width 16, Fourier "
          "transforms"),
    Entry("transformers/bert", of("Bert", masked, "BertForMaskedLM", **ENCODER), "two layers of width 16, padded rows",
          quick=True),
    Entry("transformers/roberta", of("Roberta", sentence_classes, "RobertaForSequenceClassification", **ENCODER),
          "two layers of width 16, padded rows"),
    Entry("transformers/distilbert", of("DistilBert", masked, "DistilBertForMaskedLM", vocab_size=WORDS, dim=16,
                                        hidden_dim=32, n_layers=2, n_heads=4,
                                        max_position_embeddings=16), "two layers of width 16, padded rows"),
    Entry("transformers/albert", of("Albert", masked, "AlbertForMaskedLM", embedding_size=8, **ENCODER),
          "two layers that share weights"),
    Entry("transformers/electra", of("Electra", masked, "ElectraForMaskedLM", embedding_size=8, **ENCODER),
          "two layers of width 16"),
    Entry("transformers/deberta_v2", of("DebertaV2", masked, "DebertaV2ForMaskedLM", relative_attention=True,
                                        pos_att_type="p2c|c2p", **ENCODER),
          "two layers of width 16, relative positions"),
    Entry("transformers/t5", of("T5", pairs, "T5ForConditionalGeneration", vocab_size=WORDS, d_model=16, d_kv=4,
                                d_ff=32, num_layers=2, num_heads=4,
                                decoder_start_token_id=0), "two layers of width 16", quick=True),
    Entry("transformers/bart", of("Bart", pairs, "BartForConditionalGeneration", **SEQUENCES),
          "one layer of width 16 each"),
    Entry("transformers/pegasus", of("Pegasus", pairs, "PegasusForConditionalGeneration", **SEQUENCES),
          "one layer of width 16 each"),
    Entry("transformers/whisper", of("Whisper", whisper_batch, "WhisperForConditionalGeneration", vocab_size=WORDS,
                                     num_mel_bins=8, d_model=16,
                                     encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
                                     decoder_attention_heads=2, encoder_ffn_dim=32,
                                     decoder_ffn_dim=32, max_source_positions=8, max_target_positions=16,
                                     pad_token_id=0, bos_token_id=1,
                                     eos_token_id=2, decoder_start_token_id=1, suppress_tokens=None,
                                     begin_suppress_tokens=None),
          "one layer of width 16 each"),
    Entry("transformers/clip", clip, "one layer of width 16 each, a contrastive loss"),
    Entry("transformers/wav2vec2", of("Wav2Vec2", speech, "Wav2Vec2ForCTC", **WAV2VEC2), "two layers of width 16, "
          "labels in one row"),
    Entry("transformers/deepseek_v3", decoder("DeepseekV3", n_routed_experts=4, num_experts_per_tok=2, n_group=1,
                                              topk_group=1, moe_intermediate_size=8, q_lora_rank=8,
                                              kv_lora_rank=8, qk_rope_head_dim=4, qk_nope_head_dim=4, v_head_dim=4,
                                              first_k_dense_replace=1, **DECODER),
          "two layers of width 16, latent attention, 4 experts, 2 for each token"),
    Entry("transformers/gpt_oss", decoder("GptOss", num_local_experts=4, num_experts_per_tok=2, head_dim=4,
                                          sliding_window=4, **GROUPED),
          "two layers of width 16, attention sinks, 4 experts, 2 for each token"),
    Entry("transformers/modernbert", of("ModernBert", masked, "ModernBertForMaskedLM", pad_token_id=0,
                                        local_attention=4, **ENCODER), "two layers of width 16, padded rows"),
    Entry("transformers/prophetnet", of("ProphetNet", pairs, "ProphetNetForConditionalGeneration", vocab_size=WORDS,
                                        hidden_size=16, encoder_ffn_dim=32, decoder_ffn_dim=32,
                                        num_encoder_layers=1, num_decoder_layers=1, num_encoder_attention_heads=2,
                                        num_decoder_attention_heads=2,
                                        max_position_embeddings=16, decoder_start_token_id=0),
          "one layer of width 16 each, streams of later words"),
    Entry("transformers/xlm", of("XLM", sentence_classes, "XLMForSequenceClassification", vocab_size=WORDS, emb_dim=16,
                                 n_layers=2, n_heads=4, max_position_embeddings=16),
          "two layers of width 16, padded rows"),
    Entry("transformers/siglip", of("Siglip", image_classes, "SiglipForImageClassification", vision_config={
        "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "image_size": 16,
        "patch_size": 8}), "two layers of width 16"),
    Entry("transformers/vit", of("ViT", image_classes, "ViTForImageClassification", hidden_size=16,
                                 intermediate_size=32, num_hidden_layers=2,
                                 num_attention_heads=4, image_size=16, patch_size=8), "two layers of width 16",
          local=True),
]
