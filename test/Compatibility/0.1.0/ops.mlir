module attributes {ds.config = #ds.config<batch = global, device_num = 4>} {
  func.func @on_tensors(%arg0: tensor<8x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<2x4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>, tensor<2x4xf32>, index, index) {
    %0 = ds.gradient %arg0 of "w" : tensor<8x4xf32>
    %1 = ds.gradient %arg1 of "b" {pinned} : tensor<4xf32>
    %2 = ds.combine mean %arg1 : tensor<4xf32>
    %3:2 = ds.all_reduce sum %0, %1 {fusion = 1024 : i64, group = array<i64: 0, 1>, names = [["w"], ["b", "c"]], purpose = #ds<purpose activation>} : tensor<8x4xf32>, tensor<4xf32>
    %started:2, %pending = ds.all_reduce_start mean %3#0, %3#1 : tensor<8x4xf32>, tensor<4xf32>
    %4:2 = ds.wait %pending, %started#0, %started#1 : tensor<8x4xf32>, tensor<4xf32>
    %5:2 = ds.broadcast %4#0, %4#1 from 3 : tensor<8x4xf32>, tensor<4xf32>
    %6 = ds.reduce_scatter sum %5#0 into %arg2 along 0 : tensor<8x4xf32> into tensor<2x4xf32>
    %7 = ds.all_gather %6 into %arg0 along 0 {fusion = 2 : i64} : tensor<2x4xf32> into tensor<8x4xf32>
    %8 = ds.all_to_all %arg0 into %arg0 split 0 concat 0 : tensor<8x4xf32> into tensor<8x4xf32>
    %9 = tensor.empty() : tensor<2x16xf32>
    %10 = ds.all_to_all %8 into %9 split 0 concat 1 {group = ["tp"], names = [["h"]]} : tensor<8x4xf32> into tensor<2x16xf32>
    %11 = ds.collective_permute %arg0 into %arg0 from [3, 2, -1, 0] : tensor<8x4xf32> into tensor<8x4xf32>
    %12:2 = ds.collective_permute %11, %arg1 into %arg0, %arg1 from [1, 0] {group = ["tp"], names = [["h"], ["i"]]} : tensor<8x4xf32>, tensor<4xf32> into tensor<8x4xf32>, tensor<4xf32>
    ds.barrier {group = array<i64: 0, 2>}
    %13 = ds.rank : index
    %14 = ds.num_ranks : index
    return %7, %5#1, %6, %13, %14 : tensor<8x4xf32>, tensor<4xf32>, tensor<2x4xf32>, index, index
  }
  func.func @on_memrefs(%arg0: memref<8x4xi32>, %arg1: memref<2x4xi32>, %arg2: memref<i32>) {
    %0 = ds.peer %arg0 {rank = 1 : i64} : memref<8x4xi32>
    ds.all_reduce max %arg0, %arg2 : memref<8x4xi32>, memref<i32>
    %pending = ds.all_reduce_start or %arg0 {purpose = #ds<purpose metric>} : memref<8x4xi32>
    ds.wait %pending, %arg0 : memref<8x4xi32>
    ds.broadcast %arg0 from 0 : memref<8x4xi32>
    ds.reduce_scatter prod %arg0 into %arg1 along 0 : memref<8x4xi32> into memref<2x4xi32>
    ds.all_gather %arg1 into %arg0 along 0 : memref<2x4xi32> into memref<8x4xi32>
    %alloc = memref.alloc() : memref<8x4xi32>
    %alloc_0 = memref.alloc() : memref<2x4xi32>
    ds.all_to_all %arg1, %alloc into %alloc_0, %arg0 split 0 concat 0 {purpose = #ds<purpose state>} : memref<2x4xi32>, memref<8x4xi32> into memref<2x4xi32>, memref<8x4xi32>
    ds.collective_permute %arg1 into %alloc_0 from [-1, 0] {group = array<i64: 1, 3>, purpose = #ds<purpose state>} : memref<2x4xi32> into memref<2x4xi32>
    return
  }
  func.func private @pending(!ds.pending)
  func.func @reshard(%arg0: tensor<8x4xf32>) -> tensor<8x4xf32> {
    %0 = ds.reshard %arg0 from <partial(sum)> to <sharded(0, 1, 2)> : tensor<8x4xf32>
    %1 = ds.reshard %0 from <sharded(0, 1, 2)> to <replicated> : tensor<8x4xf32>
    %2 = ds.reshard %0 from <sharded(0, 1, 2)> to <sharded(1, 1, 1)> : tensor<8x4xf32>
    %3 = ds.reshard %arg0 from <sharded(0, 1, 4)> to <sharded(0, 4, 1)> : tensor<8x4xf32>
    %4 = tensor.empty() : tensor<0xf32>
    %5 = ds.reshard %4 from <sharded(0, 1, 2)> to <sharded(0, 2, 1)> : tensor<0xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func private @attributes() attributes {test.purpose = #ds<purpose gradient>, test.reduction = #ds<reduction and>}
  func.func @no_elements(%arg0: tensor<0xf32>) -> tensor<0xf32> {
    %0 = ds.all_reduce sum %arg0 : tensor<0xf32>
    return %0 : tensor<0xf32>
  }
  func.func @starts_with_destinations(%arg0: tensor<8x4xf32>, %arg1: tensor<2x4xf32>, %arg2: memref<2x4xi32>, %arg3: memref<8x4xi32>) -> (tensor<2x4xf32>, tensor<8x4xf32>) {
    %started, %pending = ds.reduce_scatter_start sum %arg0 into %arg1 along 0 : tensor<8x4xf32> into tensor<2x4xf32>
    %0 = ds.wait %pending, %started : tensor<2x4xf32> keeping %arg0 : tensor<8x4xf32>
    %started_0, %pending_1 = ds.all_gather_start %0 into %arg0 along 0 : tensor<2x4xf32> into tensor<8x4xf32>
    %1 = ds.wait %pending_1, %started_0 : tensor<8x4xf32> keeping %0 : tensor<2x4xf32>
    %pending_2 = ds.all_gather_start %arg2 into %arg3 along 0 {group = ["tp"]} : memref<2x4xi32> into memref<8x4xi32>
    ds.wait %pending_2, %arg3 : memref<8x4xi32> keeping %arg2 : memref<2x4xi32>
    return %0, %1 : tensor<2x4xf32>, tensor<8x4xf32>
  }
}
