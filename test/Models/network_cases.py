"""Windows, losses and modules: see expressions.py."""

WINDOWS = """
F.linear(x, m, v)
F.bilinear(x, y, b2.new_ones(2, 4, 4) * m)
F.conv1d(seq, k1)
F.conv1d(seq, k1, stride=2, padding=2, dilation=2)
F.conv1d(seq, k1, padding='same')
F.conv2d(img, k2)
F.conv2d(img, k2, stride=(2, 1), padding=(1, 0), dilation=(1, 2))
F.conv2d(img, k2[:4, :2], groups=2)
F.conv2d(img, k2[:4, :1], groups=4, padding='same')
F.conv3d(vol, k3)
F.conv3d(vol, k3, stride=2, padding=1)
F.conv_transpose1d(seq, k1[:6], stride=2)
F.conv_transpose2d(img, up2, stride=2, padding=1, output_padding=1)
F.conv_transpose2d(img, up2, dilation=2, groups=2)
F.conv_transpose3d(vol, k3[:2], stride=2)
F.max_pool1d(seq, 3, 2)
F.max_pool2d(img, 2)
F.max_pool2d(img, 3, 2, 1, ceil_mode=True)
F.max_pool2d(wide, 3, 2, 1, dilation=2)
F.max_pool2d(tied, 3, 2, 1)
F.max_pool2d(tied, 2, return_indices=True)
F.max_pool3d(vol, 2)
F.avg_pool1d(seq, 3, 2)
F.avg_pool2d(img, 3, 2, 1)
F.avg_pool2d(img, 3, 2, 1, count_include_pad=False)
F.avg_pool2d(img, 3, 2, 1, ceil_mode=True)
F.avg_pool2d(img, 3, 2, 1, ceil_mode=True, count_include_pad=False)
F.avg_pool2d(img, 2, divisor_override=3)
F.avg_pool3d(vol, 2)
F.lp_pool1d(seq, 2, 3)
F.lp_pool2d(img, 2, 3, 2)
F.lp_pool2d(img, 3, 2)
F.adaptive_avg_pool1d(seq, 3)
F.adaptive_avg_pool2d(wide, 3)
F.adaptive_avg_pool2d(img, (1, 1))
F.adaptive_avg_pool2d(img, (3, 2))
F.adaptive_avg_pool3d(vol, 1)
F.adaptive_max_pool1d(seq, 3)
F.adaptive_max_pool2d(wide, 4)
F.adaptive_max_pool2d(img, 1)
F.max_unpool2d(*F.max_pool2d(wide, 2, return_indices=True), 2)
F.unfold(img, 3, padding=1)
F.unfold(img, (2, 3), dilation=2, stride=2)
F.fold(F.unfold(img, 2), (8, 7), 2)
F.pixel_shuffle(img, 2)
F.pixel_unshuffle(wide, 2)
F.channel_shuffle(img, 2)
F.pad(img, (1, 2, 3, 0))
F.pad(img, (1, 2), value=2.5)
F.pad(img, (-1, 2, -2, -1))
F.pad(img, (1, 2, 3, 0), mode='reflect')
F.pad(img, (1, 2, 3, 0), mode='replicate')
F.pad(img, (1, 2, 3, 0), mode='circular')
F.pad(seq, (3, 1), mode='reflect')
F.pad(vol, (1, 0, 2, 1, 1, 1), mode='replicate')
F.affine_grid(b1[:, :2, :3], (2, 3, 4, 5), align_corners=False)
F.affine_grid(b1[:, :2, :3], (2, 3, 4, 5), align_corners=True)
F.embedding(tokens, table)
F.embedding(tokens, table.detach(), padding_idx=3)
F.embedding_bag(tokens, table, mode='sum')
F.embedding_bag(tokens, table, mode='mean')
"""

LOSSES = """
F.cosine_similarity(x, y)
F.pairwise_distance(x, y)
F.mse_loss(x, y)
F.mse_loss(x, y, reduction='sum')
F.l1_loss(x, y)
F.smooth_l1_loss(x, y, beta=0.5)
F.huber_loss(x, y, delta=0.7)
F.cross_entropy(x, column)
F.cross_entropy(x, column, weight=v.detach().abs())
F.cross_entropy(x, column, label_smoothing=0.1)
F.cross_entropy(x, column, ignore_index=2)
F.cross_entropy(x, column, reduction='none')
F.cross_entropy(x, F.softmax(y, 1))
F.cross_entropy(img, i.new_ones(2, 8, 7))
F.nll_loss(F.log_softmax(x, 1), column)
F.nll_loss(F.log_softmax(x, 1), column, weight=v.detach().abs(), reduction='sum')
F.binary_cross_entropy(r, c.type_as(r))
F.binary_cross_entropy_with_logits(x, c.type_as(x))
F.binary_cross_entropy_with_logits(x, r, pos_weight=v.detach().abs())
F.kl_div(F.log_softmax(x, 1), F.softmax(y, 1), reduction='batchmean')
F.kl_div(F.log_softmax(x, 1), F.log_softmax(y, 1), log_target=True, reduction='sum')
F.hinge_embedding_loss(x, torch.where(c, 1.0, -1.0))
F.margin_ranking_loss(x[:, 0], y[:, 0], sign, margin=0.2)
F.multi_margin_loss(x, column)
F.multilabel_soft_margin_loss(x, c.type_as(x))
F.soft_margin_loss(x, torch.where(c, 1.0, -1.0))
F.triplet_margin_loss(x, y, z)
F.cosine_embedding_loss(x, y, sign, margin=0.1)
F.gaussian_nll_loss(x, y, p)
F.poisson_nll_loss(x, p)
F.scaled_dot_product_attention(heads, keys, values)
F.scaled_dot_product_attention(heads, keys[:, :, :5], values[:, :, :5], is_causal=True)
F.scaled_dot_product_attention(heads, keys, values, scale=0.3)
F.dropout(x, 0.5, training=False)
F.alpha_dropout(x, 0.5, training=False)
"""

# A constructor and the arguments of the module.
MODULES = """
nn.Linear(4, 5) <- x
nn.Linear(4, 5, bias=False) <- b1
nn.Bilinear(4, 4, 3) <- x, y
nn.Identity() <- x
nn.Flatten() <- img
nn.Unflatten(1, (2, 2)) <- img
nn.Conv1d(6, 4, 3) <- seq
nn.Conv2d(4, 6, 3, padding=1) <- img
nn.Conv2d(4, 8, 3, groups=4) <- img
nn.Conv2d(4, 6, 3, padding=1, padding_mode='reflect') <- img
nn.Conv2d(4, 6, 3, padding=1, padding_mode='circular') <- img
nn.Conv3d(2, 3, 2) <- vol
nn.ConvTranspose1d(6, 4, 3, stride=2) <- seq
nn.ConvTranspose2d(4, 2, 4, stride=2, padding=1) <- img
nn.ConvTranspose3d(2, 3, 2) <- vol
nn.BatchNorm1d(6) <- seq
nn.BatchNorm2d(4) <- img
nn.BatchNorm3d(2) <- vol
nn.InstanceNorm1d(6, affine=True) <- seq
nn.InstanceNorm2d(4) <- img
nn.GroupNorm(2, 4) <- img
nn.LayerNorm(7) <- img
nn.LayerNorm((4, 8, 7), elementwise_affine=False) <- img
nn.RMSNorm(4) <- x
nn.LocalResponseNorm(2) <- img
nn.CrossMapLRN2d(3) <- img
nn.PReLU() <- x
nn.PReLU(4) <- img
nn.ReLU() <- x
nn.GELU() <- x
nn.SiLU() <- x
nn.Softmax(dim=1) <- x
nn.Softmax2d() <- img
nn.LogSoftmax(dim=1) <- x
nn.Hardtanh() <- x
nn.Threshold(0.1, 20) <- x
nn.GLU() <- x
nn.MaxPool1d(2) <- seq
nn.MaxPool2d(3, stride=2, padding=1) <- img
nn.MaxPool3d(2) <- vol
nn.AvgPool1d(2) <- seq
nn.AvgPool2d(3, stride=2, padding=1) <- img
nn.AvgPool3d(2) <- vol
nn.LPPool2d(2, 3) <- img
nn.AdaptiveAvgPool2d(1) <- img
nn.AdaptiveAvgPool2d((4, None)) <- img
nn.AdaptiveMaxPool2d(1) <- img
nn.ReflectionPad1d(2) <- seq
nn.ReflectionPad2d((1, 2, 0, 3)) <- img
nn.ReplicationPad2d(2) <- img
nn.ReplicationPad3d(1) <- vol
nn.ZeroPad2d((1, 0, 2, 1)) <- img
nn.ConstantPad2d(1, 3.5) <- img
nn.CircularPad2d(2) <- img
nn.PixelShuffle(2) <- img
nn.PixelUnshuffle(2) <- wide
nn.ChannelShuffle(2) <- img
nn.Fold((8, 7), 2) <- F.unfold(img, 2)
nn.Unfold(3) <- img
nn.Upsample(scale_factor=2) <- img
nn.UpsamplingNearest2d(scale_factor=2) <- img
nn.UpsamplingBilinear2d(scale_factor=2) <- img
nn.Embedding(10, 6) <- tokens
nn.Embedding(10, 6, padding_idx=0) <- tokens
nn.EmbeddingBag(10, 6, mode='max') <- tokens
nn.CosineSimilarity() <- x, y
nn.PairwiseDistance() <- x, y
nn.RNN(6, 5) <- steps
nn.RNN(6, 5, nonlinearity='relu', num_layers=2) <- steps
nn.LSTM(6, 5) <- steps
nn.LSTM(6, 5, bidirectional=True, num_layers=2) <- steps
nn.LSTM(6, 5, proj_size=3) <- steps
nn.GRU(6, 5) <- steps
nn.GRU(6, 5, bidirectional=True) <- steps
nn.GRU(6, 5, bias=False) <- steps
nn.RNNCell(4, 5) <- x
nn.LSTMCell(4, 5) <- x
nn.GRUCell(4, 5) <- x
nn.MultiheadAttention(6, 2) <- steps, steps, steps
nn.TransformerEncoderLayer(6, 2, 12, dropout=0.0) <- steps
nn.TransformerEncoderLayer(6, 2, 12, dropout=0.0, norm_first=True, activation='gelu') <- steps
nn.TransformerDecoderLayer(6, 2, 12, dropout=0.0) <- steps, steps
nn.CrossEntropyLoss() <- x, column
nn.NLLLoss() <- F.log_softmax(x, 1), column
nn.MSELoss() <- x, y
nn.L1Loss() <- x, y
nn.SmoothL1Loss() <- x, y
nn.HuberLoss() <- x, y
nn.BCELoss() <- r, c.type_as(r)
nn.BCEWithLogitsLoss() <- x, c.type_as(x)
nn.KLDivLoss(reduction='sum') <- F.log_softmax(x, 1), r
nn.TripletMarginLoss() <- x, y, z
nn.Dropout() <- x
nn.Dropout2d() <- img
nn.Sequential(nn.Conv2d(4, 4, 3), nn.BatchNorm2d(4), nn.ReLU()) <- img
nn.utils.parametrizations.weight_norm(nn.Linear(4, 5)) <- x
"""
