// RUN: ds-opt %s --pass-pipeline='builtin.module(func.func(ds-plan-arena{apart=1088}))' | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: ds-opt %s --pass-pipeline='builtin.module(func.func(ds-plan-arena{apart=1087}))' | FileCheck %s --check-prefixes=CHECK,ONE

func.func private @use2(memref<256xf32>, memref<256xf32>)
func.func private @use(memref<256xf32>, memref<16xf32>)

// The smallest, %c, shares its bytes with nobody. The first of the others does not either where both together are few enough: else %d takes its place.
// TWO: func.func @step(%[[ARENA:.*]]: memref<3136xi8> {ds.arena})
// ONE: func.func @step(%[[ARENA:.*]]: memref<2112xi8> {ds.arena})
// CHECK: memref.view %[[ARENA]][%[[A:.*]]][] : {{.*}} to memref<256xf32>
// CHECK: memref.view %[[ARENA]][%[[B:.*]]][] : {{.*}} to memref<256xf32>
// CHECK: call @use2
// CHECK: memref.view %[[ARENA]][%{{.*}}][] : {{.*}} to memref<16xf32>
// TWO-NOT: memref.view %[[ARENA]][%[[A]]]
// ONE: memref.view %[[ARENA]][%[[A]]][] : {{.*}} to memref<256xf32>
// CHECK: return
func.func @step() {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  call @use2(%a, %b) : (memref<256xf32>, memref<256xf32>) -> ()
  %c = memref.alloc() : memref<16xf32>
  call @use(%b, %c) : (memref<256xf32>, memref<16xf32>) -> ()
  %d = memref.alloc() : memref<256xf32>
  call @use2(%b, %d) : (memref<256xf32>, memref<256xf32>) -> ()
  return
}
