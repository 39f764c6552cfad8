"""Convolutional networks of torchvision and timm."""

from zoo import BATCH, CLASSES, CROSS_ENTROPY, model, numbers


def classifier(made, size=32):
    return made, {"x": numbers(BATCH, 3, size, size)}, CROSS_ENTROPY, CLASSES


def torchvision_models():
    import torchvision

    return torchvision.models


@model
def resnet18():
    return classifier(torchvision_models().resnet18(num_classes=10), 64)


@model
def mobilenet_v2():
    return classifier(torchvision_models().mobilenet_v2(num_classes=10, width_mult=0.25, dropout=0.0))


@model
def mobilenet_v3():
    return classifier(torchvision_models().mobilenet_v3_small(num_classes=10, width_mult=0.25, dropout=0.0), 64)


@model
def densenet():
    return classifier(torchvision_models().DenseNet(8, (2, 2), 8, num_classes=10))


@model
def squeezenet():
    return classifier(torchvision_models().squeezenet1_1(num_classes=10, dropout=0.0), 48)


@model
def shufflenet():
    return classifier(torchvision_models().shufflenet_v2_x0_5(num_classes=10))


@model
def efficientnet():
    import timm

    return classifier(timm.create_model("efficientnet_b0", num_classes=10, drop_rate=0.0, drop_path_rate=0.0))


@model
def mlp_mixer():
    import timm

    return classifier(timm.models.MlpMixer(num_classes=10, img_size=32, patch_size=8, num_blocks=2, embed_dim=32))
