#!/usr/bin/env python3
"""Writes the platform files of simulate.py: clusters of 1024 ranks, as SimGrid reads them.

    platforms.py FOLDER

A rank is a host with an adapter of its own. Bandwidths are those of data sheets, of which an
application gets a little less. Latencies are assumptions on the high side: an adapter and half
of a switch at each link. Networks are not blocking: a switch has as many ports up as down.
"""

import argparse
import pathlib

HEAD = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
"""

# 100 Gbit/s Ethernet: racks of 16 hosts, a switch of 32 ports of 100 Gbit/s in each (NVIDIA SN2700:
# 32 ports), and 16 switches of 64 ports above (NVIDIA SN4600C: 64 ports). 2 us within a rack and 4 us
# beyond it, as RDMA over Ethernet has; TCP takes several times as long.
ETHERNET = {"bandwidth": "12.5GBps", "latency": "1us", "shape": "2;16,64;1,16;1,1"}

# InfiniBand NDR, 400 Gbit/s: 32 switches of 64 ports (NVIDIA QM9700: 64 ports of 400 Gbit/s) with 32
# hosts each, and 32 switches above; an adapter of 400 Gbit/s a rank (NVIDIA ConnectX-7).
NDR = {"bandwidth": "50GBps", "latency": "0.5us", "shape": "2;32,32;1,32;1,1"}

# Islands of 8: NVLink of the fourth generation, 900 GB/s a GPU in both directions together (NVIDIA H100
# data sheet), so 450 GB/s in each. They have eight adapters of NDR (NVIDIA DGX H100), here one link of
# 8 x 50 GB/s, so that a rank that sends alone has more than its own adapter has.
ISLAND, ISLANDS = 8, 128
NVLINK, UPLINK = ("450GBps", "0.5us"), ("400GBps", "1us")


def fat_tree(numbers):
    return (f'{HEAD}  <cluster id="cluster" topology="FAT_TREE" prefix="rank" suffix="" radical="0-1023" speed="1Gf"\n'
            f'           bw="{numbers["bandwidth"]}" lat="{numbers["latency"]}" '
            f'topo_parameters="{numbers["shape"]}" sharing_policy="SPLITDUPLEX"/>\n</platform>\n')


def islands():
    lines = ['  <zone id="all" routing="Floyd">', '    <zone id="spine" routing="Full"><router id="spine_router"/></zone>']
    for number in range(ISLANDS):
        first = number * ISLAND
        lines.append(f'    <cluster id="island{number}" prefix="rank" suffix="" radical="{first}-{first + ISLAND - 1}" '
                     f'speed="1Gf" bw="{NVLINK[0]}" lat="{NVLINK[1]}" router_id="router{number}"/>')
        lines.append(f'    <link id="up{number}" bandwidth="{UPLINK[0]}" latency="{UPLINK[1]}"/>')
        lines.append(f'    <link id="down{number}" bandwidth="{UPLINK[0]}" latency="{UPLINK[1]}"/>')
    for number in range(ISLANDS):
        ends = (f"island{number}", f"router{number}"), ("spine", "spine_router")
        for link, (source, target) in (("up", ends), ("down", ends[::-1])):
            lines.append(f'    <zoneRoute src="{source[0]}" dst="{target[0]}" gw_src="{source[1]}" gw_dst="{target[1]}" '
                         f'symmetrical="NO"><link_ctn id="{link}{number}"/></zoneRoute>')
    return HEAD + "\n".join(lines) + "\n  </zone>\n</platform>\n"


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("ethernet", fat_tree(ETHERNET)), ("ndr", fat_tree(NDR)), ("islands", islands())):
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    write(parser.parse_args().folder)
