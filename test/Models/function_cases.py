"""Functions and modules of PyTorch, each a small expression over the inputs below.

A line of FUNCTIONS is a Python expression; the names in it that INPUTS has are what
the exported graph reads. A line of MODULES is the constructor of a module, an arrow
and its arguments. Numbers are chosen away from what is not continuous, except where
that is the point: ties, signed zeros and infinities are inputs of their own.

Inputs are detached where their derivative cannot be PyTorch's: ReduceMax says nothing of
the index that torch.max gives the whole derivative to (amax shares it), updates of one
element have all its derivative in PyTorch's scatter, and versions of PyTorch differ in
that of clamp at its ends.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F


def normal(*shape, seed):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def uniform(low, high, *shape, seed):
    return low + (high - low) * torch.rand(*shape, generator=torch.Generator().manual_seed(seed))


def integers(low, high, *shape, seed):
    return torch.randint(low, high, shape, generator=torch.Generator().manual_seed(seed))


INPUTS = {
    "x": normal(3, 4, seed=1), "y": normal(3, 4, seed=2), "z": normal(3, 4, seed=3),
    "p": uniform(0.2, 2.5, 3, 4, seed=4), "q": uniform(0.3, 3, 3, 4, seed=5),
    "u": uniform(-0.9, 0.9, 3, 4, seed=6), "r": uniform(0.1, 0.9, 3, 4, seed=7),
    "odd": torch.tensor([[0.0, -0.0, math.inf, -math.inf], [0.5, 1.5, -0.5, -2.5], [3e9, -7e-9, 2.0, -2.0]]),
    "nan": torch.tensor([[1.0, math.nan, -2.0], [math.nan, math.nan, 0.0]]),
    "ties": torch.tensor([[1.0, 2.0, 2.0, 0.0], [3.0, 3.0, 3.0, 3.0], [-1.0, 0.0, -1.0, 0.0]]),
    "v": normal(4, seed=8), "w": normal(4, seed=9), "row": normal(1, 4, seed=10), "one": normal(1, seed=11),
    "m": normal(4, 4, seed=12) + 3 * torch.eye(4), "n": normal(4, 5, seed=13), "k": normal(5, 4, seed=14),
    "spd": torch.eye(4) * 5 + (lambda a: a @ a.T)(normal(4, 4, seed=15)),
    "b1": normal(2, 3, 4, seed=16), "b2": normal(2, 4, 5, seed=17), "b3": normal(2, 3, 5, seed=18),
    "i": integers(0, 4, 3, 4, seed=19), "j": integers(1, 7, 3, 4, seed=20), "neg": integers(-9, 9, 3, 4, seed=21),
    "c": integers(0, 2, 3, 4, seed=22).bool(), "d": integers(0, 2, 3, 4, seed=23).bool(),
    "row_index": integers(0, 3, 5, seed=24), "column": integers(0, 4, 3, seed=25),
    "order": normal(3, 4, seed=41).argsort(1), "once": torch.tensor([2, 0]), "tokens": integers(0, 10, 2, 5, seed=26),
    "seq": normal(2, 6, 9, seed=27), "img": normal(2, 4, 8, 7, seed=28), "vol": normal(1, 2, 5, 6, 4, seed=29),
    "wide": normal(2, 4, 12, 12, seed=30), "tied": integers(0, 3, 2, 2, 6, 6, seed=31).float(),
    "k1": normal(8, 6, 3, seed=32), "k2": normal(6, 4, 3, 3, seed=33), "k3": normal(3, 2, 2, 3, 2, seed=34),
    "up2": normal(4, 3, 3, 3, seed=35), "table": normal(10, 6, seed=36), "steps": normal(5, 2, 6, seed=37),
    "heads": normal(2, 2, 5, 4, seed=38), "keys": normal(2, 2, 6, 4, seed=39), "values": normal(2, 2, 6, 4, seed=40),
    "sign": torch.tensor([1.0, -1.0, 1.0]), "sorted": torch.tensor([-1.5, -0.5, 0.0, 0.5, 1.5]),
}

FUNCTIONS = """
torch.abs(x)
torch.abs(neg)
torch.neg(x)
torch.positive(x)
torch.sign(odd)
torch.sgn(x)
torch.exp(x)
torch.exp2(x)
torch.expm1(x)
torch.sin(x)
torch.cos(x)
torch.tan(u)
torch.asin(u)
torch.acos(u)
torch.atan(x)
torch.sinh(x)
torch.cosh(x)
torch.tanh(x)
torch.asinh(x)
torch.acosh(p + 1)
torch.atanh(u)
torch.erf(x)
torch.special.erfc(x)
torch.erfinv(u)
torch.sigmoid(x)
torch.special.expit(x)
torch.logit(r)
torch.special.logit(x, eps=1e-3)
torch.square(x)
torch.sqrt(p)
torch.rsqrt(p)
torch.reciprocal(p)
torch.log(p)
torch.log2(p)
torch.log10(p)
torch.log1p(p)
torch.ceil(odd)
torch.floor(odd)
torch.round(odd)
torch.round(x, decimals=2)
torch.trunc(odd)
torch.fix(x)
torch.frac(x)
torch.signbit(odd)
torch.isnan(nan)
torch.isinf(odd)
torch.isfinite(odd)
torch.isposinf(odd)
torch.isneginf(odd)
torch.isreal(x)
torch.deg2rad(x)
torch.rad2deg(x)
torch.nan_to_num(nan, nan=3.0)
torch.nan_to_num(odd, posinf=1e3, neginf=-1e3)
torch.sinc(x)
torch.special.ndtr(x)
torch.special.log_ndtr(x)
torch.special.entr(p)
torch.special.xlog1py(x, p)
torch.special.softmax(x, 1)
torch.special.log_softmax(x, 0)
torch.special.logsumexp(x, 1)
torch.special.round(odd)
torch.special.exp2(x)
torch.special.expm1(x)
torch.special.log1p(p)
torch.special.sinc(x)
torch.special.xlogy(x, p)
torch.special.erf(x)
torch.special.psi(p)
torch.special.i0(x)
torch.lgamma(p)
torch.digamma(p)
torch.add(x, y)
torch.add(x, y, alpha=0.3)
torch.add(x, v)
torch.add(i, j)
torch.sub(x, y, alpha=2)
torch.rsub(x, y)
torch.mul(x, row)
torch.div(x, p)
torch.div(x, p, rounding_mode='floor')
torch.div(x, p, rounding_mode='trunc')
torch.div(neg, j)
torch.div(neg, j, rounding_mode='floor')
torch.div(neg, j, rounding_mode='trunc')
torch.true_divide(i, j)
torch.floor_divide(neg, j)
torch.floor_divide(x, p)
torch.remainder(x, p)
torch.remainder(neg, j)
torch.remainder(x, -0.7)
torch.fmod(x, p)
torch.fmod(neg, j)
torch.pow(p, y)
torch.pow(x, 2)
torch.pow(x, 3)
torch.pow(p, -0.5)
torch.pow(2.0, x)
torch.pow(i, 2)
torch.float_power(p, y)
torch.maximum(x, y)
torch.minimum(x, y)
torch.maximum(nan.detach(), torch.zeros_like(nan))
torch.fmax(x, y)
torch.fmin(x, y)
torch.atan2(x, y)
torch.arctan2(odd, y)
torch.hypot(x, y)
torch.logaddexp(x, y)
torch.logaddexp2(x, y)
torch.xlogy(x, p)
torch.copysign(p, x)
torch.ldexp(x, i)
torch.eq(i, j)
torch.ne(ties, 2.0)
torch.lt(x, y)
torch.le(ties, 2.0)
torch.gt(x, y)
torch.ge(ties, 3.0)
torch.isclose(x, x + 1e-6)
torch.logical_and(c, d)
torch.logical_or(c, d)
torch.logical_xor(c, d)
torch.logical_not(c)
torch.logical_not(i)
torch.bitwise_and(i, j)
torch.bitwise_or(i, j)
torch.bitwise_xor(i, j)
torch.bitwise_not(neg)
torch.bitwise_and(c, d)
torch.bitwise_left_shift(j, i)
torch.bitwise_right_shift(neg, i)
torch.lerp(x, y, 0.3)
torch.lerp(x, y, r)
torch.addcmul(x, y, z, value=0.5)
torch.addcdiv(x, y, p, value=0.5)
torch.where(c, x, y)
torch.where(x > 0, x, 0.1 * x)
torch.clamp(x, -0.5, 0.7)
torch.clamp(x, min=0.1)
torch.clamp(x, max=0.1)
torch.clamp(x, torch.minimum(y, z), torch.maximum(y, z))
torch.clamp(ties.detach(), 0.0, 2.0)
torch.clip(neg, -3, 4)
torch.heaviside(x, y)
torch.dist(x, y)
torch.dist(x, y, p=1)
torch.sum(x)
torch.sum(x, 1)
torch.sum(img, (2, 3), keepdim=True)
torch.sum(i, 0)
torch.sum(c)
torch.nansum(nan, 1)
torch.nanmean(nan, 0)
torch.mean(x)
torch.mean(img, (0, 2, 3))
torch.prod(p)
torch.prod(p, 1)
torch.amax(x, 1)
torch.amin(x, (0, 1))
torch.amax(ties, 1)
torch.amin(ties, 0)
torch.aminmax(x, dim=1)
torch.max(x)
torch.min(x)
torch.max(x, 1)
torch.min(x, 0)
torch.max(ties.detach(), 1)
torch.max(x, y)
torch.argmax(x)
torch.argmax(ties, 1)
torch.argmin(ties, 0)
torch.std(x)
torch.std(x, 1, correction=0)
torch.var(x, 0)
torch.var(img, (2, 3), correction=0)
torch.std_mean(x, 1)
torch.var_mean(x, 1)
torch.logsumexp(x, 1)
torch.logsumexp(odd * 0 + x, 0)
torch.norm(x)
torch.norm(x, p=1, dim=1)
torch.norm(x, dim=1)
torch.linalg.norm(x)
torch.linalg.norm(x, ord=1, dim=1)
torch.linalg.vector_norm(x, ord=3, dim=1)
torch.linalg.vector_norm(x, ord=float('inf'))
torch.linalg.matrix_norm(x)
torch.linalg.det(m)
torch.linalg.slogdet(spd)
torch.logdet(spd)
torch.linalg.inv(m)
torch.linalg.solve(m, n)
torch.linalg.cholesky(spd)
torch.linalg.multi_dot((x, n, k))
torch.linalg.matrix_power(m, 3)
torch.linalg.cross(x[:, :3], y[:, :3])
torch.linalg.vecdot(x, y)
torch.linalg.diagonal(m)
torch.median(v)
torch.median(x, 1)
torch.all(c)
torch.all(c, 1)
torch.any(c, 0)
torch.any(x > 0)
torch.count_nonzero(i, 1)
torch.cumsum(x, 1)
torch.cumsum(i, 0)
torch.cumprod(p, 1)
torch.cummax(x, 1)
torch.logcumsumexp(x, 1)
torch.topk(x, 2)
torch.topk(x, 2, dim=0, largest=False)
torch.sort(x, 1)
torch.sort(x, 0, descending=True)
torch.argsort(x, 1)
torch.msort(x)
torch.kthvalue(x, 2, dim=1)
torch.quantile(v, 0.3)
torch.searchsorted(sorted, x)
torch.bucketize(x, sorted)
torch.bucketize(ties, sorted, right=True)
torch.diff(x)
torch.diff(x, n=2, dim=1)
torch.trapezoid(x, dx=0.5)
torch.cumulative_trapezoid(x)
torch.cov(x)
torch.corrcoef(x)
torch.reshape(img, (2, -1))
torch.flatten(img, 1, 2)
torch.unflatten(img, 1, (2, 2))
torch.ravel(x)
torch.squeeze(row, 0)
torch.unsqueeze(x, 1)
torch.transpose(img, 1, 3)
torch.permute(img, (0, 2, 3, 1))
torch.movedim(img, 1, -1)
torch.swapaxes(img, 0, 2)
torch.t(x)
torch.adjoint(x)
torch.cat((x, y), 1)
torch.cat((x, row), 0)
torch.stack((x, y), 1)
torch.hstack((x, y))
torch.vstack((x, y))
torch.dstack((x, y))
torch.column_stack((x, y))
torch.split(n, [1, 3, 1], 1)
torch.split(n, 2, 1)
torch.chunk(n, 3, 1)
torch.tensor_split(n, 3, 1)
torch.hsplit(x, 2)
torch.unbind(x, 0)
torch.narrow(n, 1, 1, 3)
torch.select(n, 1, 2)
torch.index_select(x, 0, row_index)
torch.gather(x, 1, i)
torch.take(x, tokens)
torch.take_along_dim(x, i, 1)
torch.scatter(x, 1, order, y)
torch.scatter(x.detach(), 1, i, y.detach())
torch.scatter(x, 0, i % 3, 1.5)
torch.scatter_add(x, 1, i, y)
torch.scatter_reduce(x, 1, i, y, 'prod')
torch.scatter_reduce(x, 1, i, y, 'amax')
torch.scatter_reduce(x, 1, i, y, 'amin')
torch.scatter_reduce(x, 1, i, y, 'sum', include_self=False)
torch.scatter_reduce(x, 1, i, y, 'mean')
torch.select_scatter(x, v, 0, 1)
torch.slice_scatter(x, y[:2], 0, 1)
torch.diagonal_scatter(m, v)
torch.index_add(x, 0, once, y[:2])
torch.index_copy(x, 0, once, y[:2])
torch.index_fill(x, 0, once, 2.5)
torch.index_put(x, (once,), y[:2])
torch.index_put(x, (row_index,), torch.cat((y, y))[:5], accumulate=True)
torch.masked_fill(x, c, -1.0)
torch.masked_scatter(x, c, y)
torch.masked_select(x, c)
torch.nonzero(i)
x[:, 1:3]
x[row_index]
x[:, column]
x[torch.arange(3), column]
x[..., None]
x[::2, ::3]
img[:, :, 1:-1, ::2]
x[1]
torch.flip(img, (2, 3))
torch.fliplr(x)
torch.flipud(x)
torch.rot90(x)
torch.roll(x, 1, 1)
torch.roll(x, (1, -2), (0, 1))
torch.roll(x, 5)
torch.tile(x, (2, 1))
x.repeat(2, 3)
torch.repeat_interleave(x, 2, dim=1)
torch.broadcast_to(v, (3, 4))
row.expand(5, 4)
x.expand_as(torch.cat((b1, b1)))
torch.tril(m)
torch.triu(m, 1)
torch.tril(b2, -1)
torch.diag(v)
torch.diag(m)
torch.diagonal(m, 1)
torch.diag_embed(x)
torch.diagflat(v)
torch.block_diag(x, n)
torch.meshgrid(v, one, indexing='ij')
torch.cartesian_prod(v, w)
torch.combinations(v)
torch.kron(x, row)
torch.outer(v, w)
torch.trace(m)
torch.vander(v)
torch.einsum('ij,jk->ik', x, m)
torch.einsum('bij,bjk->bik', b1, b2)
torch.einsum('ij->ji', x)
torch.einsum('ii->i', m)
torch.einsum('ij,ij->', x, y)
torch.einsum('bhqd,bhkd->bhqk', heads, keys)
torch.einsum('i,j->ij', v, w)
torch.tensordot(x, m, 1)
torch.tensordot(b1, b2, ([2], [1]))
torch.matmul(x, m)
torch.matmul(b1, b2)
torch.matmul(b1, m)
torch.matmul(v, m)
torch.matmul(v, w)
torch.mm(x, m)
torch.bmm(b1, b2)
torch.mv(x, v)
torch.dot(v, w)
torch.vdot(v, w)
torch.inner(x, y)
torch.addmm(y, x, m, beta=0.5, alpha=2)
torch.addmv(one.expand(3), x, v)
torch.addr(x, x[:, 0], w)
torch.baddbmm(b3, b1, b2, beta=0.5)
torch.addbmm(b3[0], b1, b2)
torch.chain_matmul(x, n, k)
torch.cross(x[:, :3], y[:, :3], dim=1)
torch.cdist(x, y)
torch.cdist(x, y, p=1)
F.pdist(x)
torch.zeros_like(x) + x
torch.ones_like(x) * x
torch.full_like(x, 2.5) - x
torch.arange(4) + i
torch.linspace(0, 1, 4) * x
torch.logspace(0, 1, 4) * x
torch.eye(4, dtype=n.dtype) @ n
torch.empty_like(x).fill_(2.0) * x
torch.as_strided(x, (2, 2), (1, 2))
x.unfold(1, 2, 1)
x.type(torch.float64)
x.to(torch.float16).float()
x.to(torch.bfloat16).float()
x.int()
odd.to(torch.bool)
i.float()
c.float() * x
x.new_zeros(3, 4) + x
x.sum_to_size(1, 4)
x.view(2, 6)
x.contiguous().view(-1)
x.masked_fill(x < 0, 0.0)
x.clone().detach() * x
F.one_hot(tokens, 10)
F.relu(odd)
F.relu6(3 * x + 3)
F.elu(x, 0.7)
F.selu(x)
F.celu(x, 0.7)
F.gelu(x)
F.gelu(x, approximate='tanh')
F.silu(x)
F.mish(x)
F.hardtanh(x, -0.5, 0.8)
F.hardsigmoid(3 * x)
F.hardswish(3 * x)
F.hardshrink(x, 0.4)
F.softshrink(x, 0.4)
F.tanhshrink(x)
F.softplus(x)
F.softplus(x, beta=2, threshold=1)
F.softsign(x)
F.leaky_relu(x, 0.1)
F.rrelu(x)
F.prelu(x, v)
F.prelu(x, one)
F.threshold(x, 0.1, 2.0)
F.logsigmoid(x)
F.glu(x, 1)
F.softmax(x, 1)
F.softmax(img, 1)
F.log_softmax(x, 0)
F.softmin(x, 1)
F.normalize(x)
F.normalize(x, p=1, dim=0)
F.layer_norm(img, (8, 7))
F.layer_norm(x, (4,), v, w)
F.group_norm(img, 2, v, w)
F.instance_norm(img)
F.instance_norm(img, weight=v, bias=w)
F.batch_norm(img, v.detach(), w.detach().abs() + 1)
F.rms_norm(x, (4,), v)
F.local_response_norm(img, 3)
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
F.embedding(tokens, table, padding_idx=3)
F.embedding_bag(tokens, table, mode='sum')
F.embedding_bag(tokens, table, mode='mean')
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
torch.fft.fft(x).abs()
torch.fft.rfft(x).abs()
torch.complex(x, y).abs()
torch.polar(p, x).real
torch.bincount(row_index)
torch.unique(i)
torch.histc(x, 4)
torch.real(x)
torch.numel(x) * x
torch.clone(x)
torch.ops.aten.gelu(x)
"""

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


class Expression(nn.Module):
    """A function of the inputs that an expression names, after a module where there is one."""

    def __init__(self, expression, constructor=None):
        super().__init__()
        torch.manual_seed(0)
        scope = {"torch": torch, "nn": nn, "F": F, "math": math}
        if constructor:
            self.inner = eval(constructor, scope)
            with torch.no_grad():  # so that no bias is zero and no scale is one
                for parameter in self.inner.parameters():
                    parameter.add_(0.1 * torch.randn_like(parameter))
            expression = f"inner({expression})"
        code = compile(expression, "<case>", "eval")
        self.names = [name for name in code.co_names if name in INPUTS]
        self.function = eval(f"lambda inner, {', '.join(self.names)}: {expression}", scope)

    def forward(self, *inputs):
        result = self.function(getattr(self, "inner", None), *inputs)
        return flat(result)


def flat(result):
    """The tensors of nested tuples and lists."""
    if isinstance(result, torch.Tensor):
        return [result]
    return [tensor for part in result for tensor in flat(part)] if isinstance(result, (tuple, list)) else []


def cases():
    """Name and what makes the module, which has the names of its inputs."""
    for line in FUNCTIONS.strip().splitlines():
        yield line, lambda line=line: Expression(line)
    for line in MODULES.strip().splitlines():
        constructor, _, arguments = line.partition(" <- ")
        yield line, lambda constructor=constructor, arguments=arguments: Expression(arguments, constructor).eval()
