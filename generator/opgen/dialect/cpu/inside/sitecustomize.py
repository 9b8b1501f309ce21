"""Python imports this module when it starts: `import tilelang` will compile the Ascend dialect for the CPU."""

import ascend_on_cpu

ascend_on_cpu.announce()
