//===- Passes.td - From a driver and kernels to a GPU's ----*- tablegen -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DS_CONVERSION_GPU_PASSES
#define DS_CONVERSION_GPU_PASSES

include "mlir/Pass/PassBase.td"

def PackOperandsPass : Pass<"ds-pack-operands", "::mlir::ModuleOp"> {
  let summary = "matrices of products have a unit stride";
  let description = [{
    An operand of a contraction in which no loop but one of the batch moves by one element is copied to memory of its
    own, where one does; a result is computed there and copied back.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::arith::ArithDialect"];
}

def DeviceScalarsPass : Pass<"ds-device-scalars", "::mlir::ModuleOp"> {
  let summary = "the driver of a GPU reads and writes no memory";
  let description = [{
    A scalar that the driver loads is copied where it was loaded; kernels take the copy and compute from it what the
    driver computed. Stores of the driver become kernels. The calls of both ways of a branch that depends on such a
    scalar are made, and the kernels of one way do nothing. Loops and slices that depend on one are errors: the host
    would have to wait for the device.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def ChainRowsPass : Pass<"ds-chain-rows", "::mlir::ModuleOp"> {
  let summary = "kernels that share their rows become one";
  let description = [{
    Before ds-map-kernels. The parts of a softmax, say, or of a layer norm are reductions of rows and kernels of their
    elements, and each row of one reads only what the same row of another one wrote. They become one kernel, `ds.rows`,
    in which a block owns some rows and goes through the parts; `gpu.barrier` stands between parts that touch the same
    memory. Each part keeps its scheme, and so its bits. Calls are reordered within what they read and write.

    Rows are slices of equal length of each buffer, one after the other. A kernel stays alone if it is in a branch, has
    an assertion, or is mapped to columns, slices or a scatter; and where a chain has few rows, if they are long.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect"];
}

def MapKernelsPass : Pass<"ds-map-kernels", "::mlir::ModuleOp"> {
  let summary = "kernels become functions of the gpu dialect";
  let description = [{
    The loops of a kernel become threads by one of these schemes; the order of each reduction follows from its sizes,
    and nothing is atomic.

    | scheme | when | threads |
    |---|---|---|
    | scalar | no loop has two rounds | 1 |
    | flat | no reduction; 2 or 4 points a thread where operands lie side by side | 256 a block |
    | serial | at most 32 rounds, or partial results cannot be combined | 1 per result |
    | warp | the fastest loop is reduced, at most 4,096 rounds | 32 per result |
    | block | the same, longer | 256 per result |
    | column | the fastest loop is parallel | 32 results by 8 threads each |
    | scatter | rounds are added where an index meets the row, and more than 32 of them | 1 per column, a block per row |
    | split | 32,768 rounds or more, and few threads otherwise | as block or column, over slices |
    | rows | a chain of ds-chain-rows | 256 for some rows; each part as flat, serial, warp or block |

    The driver calls the kernel as before; `ds.launches` of what it calls has the launch.
  }];
  let options = [Option<"scheme", "scheme", "std::string", "\"\"",
                        "Reductions by this scheme, for tests: serial, warp, block, column or split">];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::affine::AffineDialect", "::mlir::vector::VectorDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def MergeLaunchesPass : Pass<"ds-merge-launches", "::mlir::ModuleOp"> {
  let summary = "kernels that do not depend on one another become one launch";
  let description = [{
    After ds-map-kernels. The driver's calls are reordered within what they read and write; before one has to wait, all
    kernels that are ready become one, whose blocks are divided among them. A kernel of one block that needs only others
    of one block follows them there, after a barrier. Each keeps its scheme, and so its bits. A kernel that fills a GPU
    by itself stays alone; nothing moves across an exchange.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::func::FuncDialect", "::mlir::scf::SCFDialect",
                           "::mlir::arith::ArithDialect"];
}

def DeviceMathPass : Pass<"ds-device-math", "::mlir::gpu::GPUModuleOp"> {
  let summary = "functions of kernels become instructions of a GPU";
  let description = [{
    A GPU has no libm: functions become arithmetic in f64, and those of f32 are rounded once. Products and sums that may
    be fused are fused, and no later pass may fuse more. What a GPU has as an instruction that rounds correctly becomes
    LLVM's intrinsic.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // DS_CONVERSION_GPU_PASSES
