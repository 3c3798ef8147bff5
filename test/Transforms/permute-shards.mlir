// RUN: ds-opt %s -split-input-file -ds-permute-shards -canonicalize | FileCheck %s -enable-var-scope
// RUN: ds-opt %s -split-input-file -ds-permute-shards --remark-policy=all --remarks-filter=ds-permute-shards 2>&1 | FileCheck %s --check-prefix=REMARK

// Rank (i, j) has block i and wants block j, which ranks (j, 0) to (j, 2) have: (j, i) sends its own.
// REMARK: ShardsPermuted | Category:ds-permute-shards | Remark="ranks keep one whole shard of what is gathered, so they send that alone", bytes=32
module attributes {ds.config = #ds.config<device_num = 9, mesh = "dp=1,a=3,b=3">} {
  // CHECK-LABEL: func.func @blocks_of_one_axis_become_those_of_another(
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<2x4xf32>
  func.func @blocks_of_one_axis_become_those_of_another(%w: tensor<2x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}, {}]>}) -> tensor<2x4xf32> {
    // CHECK: %[[OUT:.*]] = tensor.empty() : tensor<2x4xf32>
    // CHECK: %[[MINE:.*]] = ds.collective_permute %[[W]] into %[[OUT]] from [0, 3, 6, 1, 4, 7, 2, 5, 8] {group = ["a", "b"], names = {{\[\[}}"w"]]} : tensor<2x4xf32> into tensor<2x4xf32>
    // CHECK-NEXT: return %[[MINE]]
    %two = arith.constant 2 : index
    %e = tensor.empty() : tensor<6x4xf32>
    %all = ds.all_gather %w into %e along 0 {group = ["a"], purpose = #ds<purpose activation>, names = [["w"]]} : tensor<2x4xf32> into tensor<6x4xf32>
    %r = ds.rank {group = ["b"]} : index
    %at = arith.muli %r, %two : index
    %mine = tensor.extract_slice %all[%at, 0] [2, 4] [1, 1] : tensor<6x4xf32> to tensor<2x4xf32>
    return %mine : tensor<2x4xf32>
  }
}

// -----

// Of columns the gather is of stacks. Members are counted in the order of the mesh, and the axis between the two takes no part.
module attributes {ds.config = #ds.config<device_num = 12, mesh = "dp=1,a=2,c=3,b=2">} {
  // CHECK-LABEL: func.func @columns(
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<8x2xf32>
  func.func @columns(%w: tensor<8x2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{}, {"b"}]>}) -> tensor<8x2xf32> {
    // CHECK-NOT: ds.all_gather
    // CHECK: %[[MINE:.*]] = ds.collective_permute %[[W]] into %{{.*}} from [0, 2, 1, 3] {group = ["a", "b"]} : tensor<8x2xf32> into tensor<8x2xf32>
    // CHECK-NEXT: return %[[MINE]]
    %two = arith.constant 2 : index
    %one = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 8, 2] : tensor<8x2xf32> into tensor<1x8x2xf32>
    %e = tensor.empty() : tensor<2x8x2xf32>
    %stack = ds.all_gather %one into %e along 0 {group = ["b"], purpose = #ds<purpose activation>} : tensor<1x8x2xf32> into tensor<2x8x2xf32>
    %f = tensor.empty() : tensor<8x2x2xf32>
    %t = linalg.transpose ins(%stack : tensor<2x8x2xf32>) outs(%f : tensor<8x2x2xf32>) permutation = [1, 0, 2]
    %all = tensor.collapse_shape %t [[0], [1, 2]] : tensor<8x2x2xf32> into tensor<8x4xf32>
    %r = ds.rank {group = ["a"]} : index
    %at = arith.muli %two, %r : index
    %mine = tensor.extract_slice %all[0, %at] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
    return %mine : tensor<8x2xf32>
  }
}

// -----

// What is cyclic among the ranks of both: every second row.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @every_second_row(
  func.func @every_second_row(%w: tensor<3xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}]>}) -> tensor<3xf32> {
    // CHECK: ds.collective_permute %{{.*}} into %{{.*}} from [0, 2, 1, 3]
    // CHECK-NEXT: return
    %one = tensor.expand_shape %w [[0, 1]] output_shape [1, 3] : tensor<3xf32> into tensor<1x3xf32>
    %e = tensor.empty() : tensor<2x3xf32>
    %stack = ds.all_gather %one into %e along 0 {group = ["a"]} : tensor<1x3xf32> into tensor<2x3xf32>
    %f = tensor.empty() : tensor<3x2xf32>
    %t = linalg.transpose ins(%stack : tensor<2x3xf32>) outs(%f : tensor<3x2xf32>) permutation = [1, 0]
    %all = tensor.collapse_shape %t [[0, 1]] : tensor<3x2xf32> into tensor<6xf32>
    %r = ds.rank {group = ["b"]} : index
    %mine = tensor.extract_slice %all[%r] [3] [2] : tensor<6xf32> to tensor<3xf32>
    return %mine : tensor<3xf32>
  }
}

// -----

// Two axes divide a dimension one within the other, and shall the other way round: each shard has one owner and one reader.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @axes_change_places(
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<2x4xf32>
  func.func @axes_change_places(%w: tensor<2x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a", "b"}, {}]>}) -> tensor<2x4xf32> {
    // CHECK-NOT: ds.all_
    // CHECK: %[[MINE:.*]] = ds.collective_permute %[[W]] into %{{.*}} from [0, 2, 1, 3] {group = ["a", "b"]} : tensor<2x4xf32> into tensor<2x4xf32>
    // CHECK-NEXT: return %[[MINE]]
    %one = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %e = tensor.empty() : tensor<2x2x4xf32>
    %gathered = ds.all_gather %one into %e along 0 {group = ["a"], purpose = #ds<purpose activation>} : tensor<1x2x4xf32> into tensor<2x2x4xf32>
    %exchanged = ds.all_to_all %gathered into %e split 0 concat 0 {group = ["b"]} : tensor<2x2x4xf32> into tensor<2x2x4xf32>
    %r = ds.rank {group = ["a"]} : index
    %slice = tensor.extract_slice %exchanged[%r, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<2x2x4xf32> to tensor<1x2x4xf32>
    %mine = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    return %mine : tensor<2x4xf32>
  }
}

// -----

// What is gathered is read elsewhere, too: it is there anyway.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @what_is_read_whole_is_gathered(
  // CHECK-NOT: ds.collective_permute
  func.func @what_is_read_whole_is_gathered(%w: tensor<2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}]>}) -> (tensor<2xf32>, tensor<4xf32>) {
    %two = arith.constant 2 : index
    %e = tensor.empty() : tensor<4xf32>
    %all = ds.all_gather %w into %e along 0 {group = ["a"]} : tensor<2xf32> into tensor<4xf32>
    %r = ds.rank {group = ["b"]} : index
    %at = arith.muli %r, %two : index
    %mine = tensor.extract_slice %all[%at] [2] [1] : tensor<4xf32> to tensor<2xf32>
    return %mine, %all : tensor<2xf32>, tensor<4xf32>
  }
}

// -----

// Halves are gathered and quarters taken.
module attributes {ds.config = #ds.config<device_num = 8, mesh = "dp=1,a=2,b=4">} {
  // CHECK-LABEL: func.func @other_blocks_are_no_shards(
  // CHECK-NOT: ds.collective_permute
  func.func @other_blocks_are_no_shards(%w: tensor<4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}]>}) -> tensor<2xf32> {
    %two = arith.constant 2 : index
    %e = tensor.empty() : tensor<8xf32>
    %all = ds.all_gather %w into %e along 0 {group = ["a"]} : tensor<4xf32> into tensor<8xf32>
    %r = ds.rank {group = ["b"]} : index
    %at = arith.muli %r, %two : index
    %mine = tensor.extract_slice %all[%at] [2] [1] : tensor<8xf32> to tensor<2xf32>
    return %mine : tensor<2xf32>
  }
}

// -----

// Only the first two of four ranks along b find a block, and the others lie beyond the end.
module attributes {ds.config = #ds.config<device_num = 8, mesh = "dp=1,a=2,b=4">} {
  // CHECK-LABEL: func.func @more_ranks_than_blocks(
  // CHECK-NOT: ds.collective_permute
  func.func @more_ranks_than_blocks(%w: tensor<2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}]>}) -> tensor<2xf32> {
    %two = arith.constant 2 : index
    %e = tensor.empty() : tensor<4xf32>
    %all = ds.all_gather %w into %e along 0 {group = ["a"]} : tensor<2xf32> into tensor<4xf32>
    %r = ds.rank {group = ["b"]} : index
    %at = arith.muli %r, %two : index
    %mine = tensor.extract_slice %all[%at] [2] [1] : tensor<4xf32> to tensor<2xf32>
    return %mine : tensor<2xf32>
  }
}

// -----

// Positions that are blocks, cyclic.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @every_second_row_is_of_all_blocks(
  // CHECK-NOT: ds.collective_permute
  func.func @every_second_row_is_of_all_blocks(%w: tensor<2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}]>}) -> tensor<2xf32> {
    %e = tensor.empty() : tensor<4xf32>
    %all = ds.all_gather %w into %e along 0 {group = ["a"]} : tensor<2xf32> into tensor<4xf32>
    %r = ds.rank {group = ["b"]} : index
    %mine = tensor.extract_slice %all[%r] [2] [2] : tensor<4xf32> to tensor<2xf32>
    return %mine : tensor<2xf32>
  }
}

// -----

// Ranks along b have other columns: of (0, j) and (1, j) rank j wants the j-th, so (0, 0) and (1, 0) want one shard.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @shards_that_differ_along_the_other_axis(
  // CHECK-NOT: ds.collective_permute
  func.func @shards_that_differ_along_the_other_axis(%w: tensor<2x3xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}, {"b"}]>}) -> tensor<2x3xf32> {
    %two = arith.constant 2 : index
    %e = tensor.empty() : tensor<4x3xf32>
    %all = ds.all_gather %w into %e along 0 {group = ["a"]} : tensor<2x3xf32> into tensor<4x3xf32>
    %r = ds.rank {group = ["b"]} : index
    %at = arith.muli %r, %two : index
    %mine = tensor.extract_slice %all[%at, 0] [2, 3] [1, 1] : tensor<4x3xf32> to tensor<2x3xf32>
    return %mine : tensor<2x3xf32>
  }
}

// -----

// The ranks along a that run a branch run it together; those along b do not.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @a_branch_of_some_ranks(
  // CHECK-NOT: ds.collective_permute
  func.func @a_branch_of_some_ranks(%w: tensor<2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}]>}) -> tensor<2xf32> {
    %zero = arith.constant 0 : index
    %two = arith.constant 2 : index
    %r = ds.rank {group = ["b"]} : index
    %first = arith.cmpi eq, %r, %zero : index
    %v = scf.if %first -> tensor<2xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %all = ds.all_gather %w into %e along 0 {group = ["a"]} : tensor<2xf32> into tensor<4xf32>
      %at = arith.muli %r, %two : index
      %mine = tensor.extract_slice %all[%at] [2] [1] : tensor<4xf32> to tensor<2xf32>
      scf.yield %mine : tensor<2xf32>
    } else {
      scf.yield %w : tensor<2xf32>
    }
    return %v : tensor<2xf32>
  }
}

// -----

// A loop that all run as often; the second gather in it is of what the first has made.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @there_and_back_in_a_loop(
  // CHECK: scf.for
  // CHECK: %[[THERE:.*]] = ds.collective_permute %{{.*}} into %{{.*}} from [0, 2, 1, 3]
  // CHECK: %[[SINE:.*]] = math.sin %[[THERE]]
  // CHECK: %[[BACK:.*]] = ds.collective_permute %[[SINE]] into %{{.*}} from [0, 2, 1, 3]
  // CHECK: scf.yield %[[BACK]]
  // CHECK-NOT: ds.all_gather
  func.func @there_and_back_in_a_loop(%w: tensor<2xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}]>}, %n: index) -> tensor<2xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %e = tensor.empty() : tensor<4xf32>
    %v = scf.for %i = %zero to %n step %one iter_args(%c = %w) -> tensor<2xf32> {
      %all = ds.all_gather %c into %e along 0 {group = ["a"]} : tensor<2xf32> into tensor<4xf32>
      %r = ds.rank {group = ["b"]} : index
      %at = arith.muli %r, %two : index
      %mine = tensor.extract_slice %all[%at] [2] [1] : tensor<4xf32> to tensor<2xf32>
      %sine = math.sin %mine : tensor<2xf32>
      %again = ds.all_gather %sine into %e along 0 {group = ["b"]} : tensor<2xf32> into tensor<4xf32>
      %q = ds.rank {group = ["a"]} : index
      %from = arith.muli %q, %two : index
      %back = tensor.extract_slice %again[%from] [2] [1] : tensor<4xf32> to tensor<2xf32>
      scf.yield %back : tensor<2xf32>
    }
    return %v : tensor<2xf32>
  }
}

// -----

// What one permutation gives, another one sends on, although the same reshapes stand in both.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @one_begins_where_another_one_ends(
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<2x4xf32>
  // CHECK: %[[THERE:.*]] = ds.collective_permute %[[W]] into %{{.*}} from [0, 2, 1, 3] {group = ["a", "b"], purpose = #ds<purpose state>} : tensor<2x4xf32> into tensor<2x4xf32>
  // CHECK: %[[BACK:.*]] = ds.collective_permute %[[THERE]] into %{{.*}} from [0, 2, 1, 3] {group = ["a", "b"], purpose = #ds<purpose state>} : tensor<2x4xf32> into tensor<2x4xf32>
  // CHECK-NEXT: return %[[BACK]]
  func.func @one_begins_where_another_one_ends(%w: tensor<2x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}, {}]>}) -> tensor<2x4xf32> {
    %e = tensor.empty() : tensor<2x2x4xf32>
    %one = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %all = ds.all_gather %one into %e along 0 {group = ["a"]} : tensor<1x2x4xf32> into tensor<2x2x4xf32>
    %r = ds.rank {group = ["b"]} : index
    %slice = tensor.extract_slice %all[%r, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<2x2x4xf32> to tensor<1x2x4xf32>
    %mine = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    %again = tensor.expand_shape %mine [[0, 1], [2]] output_shape [1, 2, 4] : tensor<2x4xf32> into tensor<1x2x4xf32>
    %others = ds.all_gather %again into %e along 0 {group = ["b"]} : tensor<1x2x4xf32> into tensor<2x2x4xf32>
    %q = ds.rank {group = ["a"]} : index
    %part = tensor.extract_slice %others[%q, 0, 0] [1, 2, 4] [1, 1, 1] : tensor<2x2x4xf32> to tensor<1x2x4xf32>
    %back = tensor.collapse_shape %part [[0, 1], [2]] : tensor<1x2x4xf32> into tensor<2x4xf32>
    return %back : tensor<2x4xf32>
  }
}

// -----

// The memory that one chain is written to is what another one, which begins later, makes of a second shard.
module attributes {ds.config = #ds.config<device_num = 4, mesh = "dp=1,a=2,b=2">} {
  // CHECK-LABEL: func.func @one_is_written_to_what_another_one_makes(
  // CHECK-SAME: %[[W:[^ ]*]]: tensor<2x4xf32>{{.*}}, %[[M:[^ ]*]]: tensor<4x4xf32>
  func.func @one_is_written_to_what_another_one_makes(%w: tensor<2x4xf32> {ds.param = "w", ds.sharding = #ds.sharding<[{"a"}, {}]>},
      %m: tensor<4x4xf32> {ds.param = "m", ds.sharding = #ds.sharding<[{"a"}, {}]>}) -> tensor<2x4xf32> {
    // CHECK: ds.collective_permute %[[M]] into
    // CHECK: %[[MINE:.*]] = ds.collective_permute %[[W]] into
    // CHECK-NEXT: return %[[MINE]]
    %r = ds.rank {group = ["b"]} : index
    %two = arith.constant 2 : index
    %at = arith.muli %r, %two : index
    %e = tensor.empty() : tensor<4x4xf32>
    %all = ds.all_gather %w into %e along 0 {group = ["a"]} : tensor<2x4xf32> into tensor<4x4xf32>
    %f = tensor.empty() : tensor<8x4xf32>
    %blocks = ds.all_gather %m into %f along 0 {group = ["a"]} : tensor<4x4xf32> into tensor<8x4xf32>
    %four = arith.constant 4 : index
    %from = arith.muli %r, %four : index
    %memory = tensor.extract_slice %blocks[%from, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
    %columns = linalg.transpose ins(%all : tensor<4x4xf32>) outs(%memory : tensor<4x4xf32>) permutation = [1, 0]
    %part = tensor.extract_slice %columns[0, %at] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
    %g = tensor.empty() : tensor<2x4xf32>
    %mine = linalg.transpose ins(%part : tensor<4x2xf32>) outs(%g : tensor<2x4xf32>) permutation = [1, 0]
    return %mine : tensor<2x4xf32>
  }
}
