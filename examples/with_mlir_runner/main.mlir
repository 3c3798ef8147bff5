  // The training that goes into the module of a rank's step: 30 steps on this rank's rows, every RANKS-th of 8. The target is
  // x * (1, -2, 0.5).
  func.func private @printMemrefF32(%values: tensor<*xf32>)

  func.func @main() {
    %started = mpi.init : !mpi.retval
    %world = mpi.comm_world : !mpi.comm
    %rank32 = mpi.comm_rank(%world) : i32
    %rank = arith.index_cast %rank32 : i32 to index
    %ranks = arith.constant RANKS : index // LLVM 22 has no lowering of mpi.comm_size
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %steps = arith.constant 30 : index
    %truth = arith.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf32>
    %lr = arith.constant dense<0.2> : tensor<f32>
    %begin = arith.constant dense<0.0> : tensor<3xf32>
    %no_loss = arith.constant dense<0.0> : tensor<f32>

    %x = tensor.generate {
    ^bb0(%i: index, %j: index):
      // sin(n * n) for n = 3 * row + column, of the row's number in the whole batch
      %passed = arith.muli %i, %ranks : index
      %row = arith.addi %passed, %rank : index
      %three = arith.constant 3 : index
      %first = arith.muli %row, %three : index
      %number = arith.addi %first, %j : index
      %square = arith.muli %number, %number : index
      %integer = arith.index_cast %square : index to i32
      %float = arith.sitofp %integer : i32 to f32
      %value = math.sin %float : f32
      tensor.yield %value : f32
    } : tensor<ROWSx3xf32>
    %zeros = arith.constant dense<0.0> : tensor<ROWSxf32>
    %y = linalg.matvec ins(%x, %truth : tensor<ROWSx3xf32>, tensor<3xf32>) outs(%zeros : tensor<ROWSxf32>) -> tensor<ROWSxf32>

    %trained, %loss = scf.for %step = %c0 to %steps step %c1 iter_args(%w = %begin, %last = %no_loss) -> (tensor<3xf32>, tensor<f32>) {
      %new, %measured = func.call @step(%w, %x, %y, %lr)
        : (tensor<3xf32>, tensor<ROWSx3xf32>, tensor<ROWSxf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>)
      scf.yield %new, %measured : tensor<3xf32>, tensor<f32>
    }
    %is_first = arith.cmpi eq, %rank, %c0 : index
    scf.if %is_first {
      %values = tensor.cast %trained : tensor<3xf32> to tensor<*xf32>
      func.call @printMemrefF32(%values) : (tensor<*xf32>) -> ()
    }
    %ended = mpi.finalize : !mpi.retval
    return
  }
