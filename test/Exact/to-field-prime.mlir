// RUN: not ds-opt %s --ds-to-field='prime=15' 2>&1 | FileCheck %s --check-prefix=PRIME
// RUN: ds-opt %s --ds-to-field='prime=2147483629' | FileCheck %s --check-prefix=SECOND
// RUN: ds-opt %s --ds-to-field --remark-policy=all --remarks-filter=ds-to-field 2>&1 | FileCheck %s --check-prefix=REMARK

// PRIME: error: prime is 15, expected 2147483647 or 2147483629
// SECOND: arith.remsi
// REMARK: an arbitrary function of its operands
// REMARK-SAME: math.exp
module {
  func.func @step(%x: f32) -> f32 {
    %0 = arith.mulf %x, %x : f32
    %1 = math.exp %0 : f32
    return %1 : f32
  }
}
