//===- MlirApiTest.cpp - The dialect by MLIR's C API ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of mlir-c are those of the archives that this program is linked with, not those of
// libds-mlir.so: its contexts and modules go into ds because both use one libMLIR.
//
//===----------------------------------------------------------------------===//
#include "ds-c/mlir/Dialect.h"
#include "ds-c/mlir/Passes.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/RegisterEverything.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace {

MlirStringRef text(const char *value) { return mlirStringRefCreateFromCString(value); }

void append(MlirStringRef part, void *whole) {
  static_cast<std::string *>(whole)->append(part.data, part.length);
}

struct MlirApiTest : testing::Test {
  MlirApiTest() {
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    mlirRegisterAllDialects(registry);
    mlirDsRegisterDialect(registry);
    context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
    mlirDialectRegistryDestroy(registry);
    auto keep = [](MlirDiagnostic diagnostic, void *kept) {
      std::string message;
      mlirDiagnosticPrint(diagnostic, append, &message);
      static_cast<std::vector<std::string> *>(kept)->push_back(message);
      return mlirLogicalResultSuccess();
    };
    mlirContextAttachDiagnosticHandler(context, keep, &reported, nullptr);
  }
  ~MlirApiTest() override { mlirContextDestroy(context); }

  MlirOperation first(MlirModule module) {
    return mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  }
  static std::string print(MlirAttribute attribute) {
    std::string whole;
    mlirAttributePrint(attribute, append, &whole);
    return whole;
  }
  static std::string print(MlirOperation operation) {
    std::string whole;
    mlirOperationPrint(operation, append, &whole);
    return whole;
  }

  MlirContext context;
  std::vector<std::string> reported;
};

const char *linearStep = R"(
func.func @step(%w: tensor<3xf32>, %x: tensor<8x3xf32>) -> tensor<3xf32> {
  %z8 = arith.constant dense<0.0> : tensor<8xf32>
  %z3 = arith.constant dense<0.0> : tensor<3xf32>
  %y = linalg.matvec ins(%x, %w : tensor<8x3xf32>, tensor<3xf32>) outs(%z8 : tensor<8xf32>) -> tensor<8xf32>
  %dw = linalg.vecmat ins(%y, %x : tensor<8xf32>, tensor<8x3xf32>) outs(%z3 : tensor<3xf32>) -> tensor<3xf32>
  %new = arith.subf %w, %dw : tensor<3xf32>
  return %new : tensor<3xf32>
}
)";

TEST_F(MlirApiTest, AStepGetsRolesAndIsDistributed) {
  MlirModule module = mlirModuleCreateParse(context, text(linearStep));
  ASSERT_FALSE(mlirModuleIsNull(module)) << reported.front();
  MlirOperation step = first(module);
  EXPECT_TRUE(mlirLogicalResultIsSuccess(mlirDsStepSetParam(step, 0, text("w"))));
  EXPECT_TRUE(mlirLogicalResultIsSuccess(mlirDsStepSetBatch(step, 1, text("x"), 0)));
  EXPECT_TRUE(mlirLogicalResultIsSuccess(mlirDsStepSetUpdates(step, 0, text("w"))));
  EXPECT_TRUE(mlirLogicalResultIsSuccess(mlirDsStepVerifyRoles(step)));

  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirDsAddDataParallelPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                text("batch=global,device_num=4"), text(""));
  EXPECT_TRUE(
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(manager);
  EXPECT_TRUE(reported.empty()) << reported.front();

  // The plan: one all-reduce of the gradient's 12 bytes.
  std::vector<MlirOperation> collectives;
  auto collect = [](MlirOperation operation, void *found) {
    if (mlirOperationIsADsCollective(operation))
      static_cast<std::vector<MlirOperation> *>(found)->push_back(operation);
    return MlirWalkResultAdvance;
  };
  mlirOperationWalk(mlirModuleGetOperation(module), collect, &collectives, MlirWalkPreOrder);
  ASSERT_EQ(collectives.size(), 1u);
  EXPECT_EQ(mlirDsCollectiveGetBytes(collectives[0]), 12);
  MlirStringRef purpose = mlirDsCollectiveGetPurpose(collectives[0]);
  EXPECT_EQ(std::string(purpose.data, purpose.length), "gradient");
  EXPECT_EQ(mlirDsCollectiveGetBytes(first(module)), -1);
  EXPECT_EQ(mlirDsCollectiveGetPurpose(first(module)).length, 0u);
  mlirModuleDestroy(module);
}

TEST_F(MlirApiTest, PassesAreCreatedOneByOneAndByName) {
  MlirModule module = mlirModuleCreateParse(
      context, text("func.func @f(%g: tensor<4xf32>) -> tensor<4xf32> {\n"
                    "  %r = ds.all_reduce mean %g {group = array<i64: 0, 1>} : tensor<4xf32>\n"
                    "  return %r : tensor<4xf32>\n}"));
  ASSERT_FALSE(mlirModuleIsNull(module)) << reported.front();
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(manager, mlirCreateDsTransformsApplyMeanPass());
  EXPECT_TRUE(
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  EXPECT_NE(print(first(module)).find("ds.all_reduce sum"), std::string::npos);

  mlirRegisterDsPasses();
  mlirRegisterDsTransformsPasses(); // the same again
  std::string problems;
  EXPECT_TRUE(mlirLogicalResultIsSuccess(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      text("builtin.module(ds-data-parallel{config=batch=global,device_num=2})"), append,
      &problems)));
  EXPECT_EQ(problems, "");
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
}

TEST_F(MlirApiTest, AttributesAreBuiltAndRead) {
  MlirAttribute config = mlirDsConfigAttrGet(context, text("device_num=4,batch=global"));
  EXPECT_TRUE(mlirAttributeIsADsConfig(config));
  EXPECT_EQ(print(config), "#ds.config<batch = global, device_num = 4>");

  MlirAttribute axes[] = {mlirDsGroupOfAxes(context, 2, (MlirStringRef[]){text("dp"), text("tp")}),
                          mlirDsGroupOfAxes(context, 0, nullptr)};
  const int64_t open = 1;
  MlirAttribute sharding = mlirDsShardingAttrGet(context, 2, axes, 1, &open);
  EXPECT_TRUE(mlirAttributeIsADsSharding(sharding));
  EXPECT_FALSE(mlirAttributeIsADsSharding(config));
  EXPECT_EQ(print(sharding), R"(#ds.sharding<[{"dp", "tp"}, {?}]>)");
  EXPECT_EQ(mlirDsShardingAttrGetNumDims(sharding), 2);
  EXPECT_TRUE(mlirAttributeEqual(mlirDsShardingAttrGetDim(sharding, 0), axes[0]));
  EXPECT_TRUE(mlirDsShardingAttrIsOpen(sharding, 1));
  EXPECT_FALSE(mlirDsShardingAttrIsOpen(sharding, 0));
}

TEST_F(MlirApiTest, AWrongAttributeIsADiagnosticAndNull) {
  EXPECT_TRUE(mlirAttributeIsNull(mlirDsConfigAttrGet(context, text("batch=globl"))));
  EXPECT_TRUE(mlirAttributeIsNull(
      mlirDsConfigAttrGet(context, text("global_rank=4,device_num=4")))); // of two keys
  MlirAttribute number = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), 3);
  EXPECT_TRUE(mlirAttributeIsNull(mlirDsShardingAttrGet(context, 1, &number, 0, nullptr)));
  MlirAttribute axis = mlirDsGroupOfAxes(context, 1, (MlirStringRef[]){text("dp")});
  const int64_t open = 2;
  EXPECT_TRUE(mlirAttributeIsNull(mlirDsShardingAttrGet(context, 1, &axis, 1, &open)));
  MlirAttribute twice[] = {axis, axis};
  EXPECT_TRUE(mlirAttributeIsNull(mlirDsShardingAttrGet(context, 2, twice, 0, nullptr)));
  ASSERT_EQ(reported.size(), 5u);
  EXPECT_EQ(reported[0], "'batch' must be one of local, global, got 'globl'");
  EXPECT_EQ(reported[2],
            "dimension 0 of a sharding is '3 : i64', expected an array of names of axes");
  EXPECT_EQ(reported[3], "dimension 2 of a sharding is open, expected one of 0 to 0");
  EXPECT_NE(reported[4].find("dp"), std::string::npos) << reported[4];
}

TEST_F(MlirApiTest, ARoleOfNothingIsADiagnostic) {
  MlirModule module = mlirModuleCreateParse(context, text(linearStep));
  MlirOperation step = first(module);
  EXPECT_TRUE(mlirLogicalResultIsFailure(mlirDsStepSetParam(step, 2, text("v"))));
  EXPECT_TRUE(mlirLogicalResultIsFailure(mlirDsStepSetMetric(step, -1, text("loss"))));
  MlirOperation other = mlirModuleGetOperation(module);
  EXPECT_TRUE(mlirLogicalResultIsFailure(mlirDsStepSetSeed(other, 0, text("key"))));
  EXPECT_TRUE(mlirLogicalResultIsFailure(mlirDsStepVerifyRoles(other)));
  EXPECT_TRUE(mlirLogicalResultIsSuccess(mlirDsStepSetUpdates(step, 0, text("v"))));
  EXPECT_TRUE(mlirLogicalResultIsFailure(mlirDsStepVerifyRoles(step)));
  ASSERT_EQ(reported.size(), 5u);
  EXPECT_EQ(reported[0], "there is no argument 2, expected one below 2");
  EXPECT_EQ(reported[1], "there is no result -1, expected one below 1");
  EXPECT_EQ(reported[2], "a role is of a function, got 'builtin.module'");
  EXPECT_EQ(reported[3], reported[2]);
  EXPECT_NE(reported[4].find("result 0 updates 'v'"), std::string::npos) << reported[4];
  mlirModuleDestroy(module);
}

TEST_F(MlirApiTest, OperationsAreBuiltAndChecked) {
  MlirModule module = mlirModuleCreateParse(context, text(linearStep));
  MlirOperation step = first(module);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(step, 0));
  MlirValue w = mlirBlockGetArgument(body, 0), x = mlirBlockGetArgument(body, 1);
  MlirLocation location = mlirOperationGetLocation(step);
  MlirAttribute group = mlirDsGroupOfRanks(context, 2, (int64_t[]){0, 1}), all = {nullptr};

  MlirOperation made[] = {mlirDsGradientCreate(location, w, text("w")),
                          mlirDsAllReduceCreate(location, text("max"), 1, &w, group)};
  EXPECT_NE(print(made[0]).find("ds.gradient"), std::string::npos);
  EXPECT_NE(print(made[1]).find("max"), std::string::npos);
  EXPECT_NE(print(made[1]).find("array<i64: 0, 1>"), std::string::npos);
  for (MlirOperation each : made)
    mlirBlockInsertOwnedOperation(body, 0, each);
  EXPECT_TRUE(mlirOperationVerify(mlirModuleGetOperation(module)));

  MlirModule sizes = mlirModuleCreateParse(context, text("%s = tensor.empty() : tensor<2x3xf32>"));
  MlirValue share = mlirOperationGetResult(first(sizes), 0);
  MlirOperation gather = mlirDsAllGatherCreate(location, share, x, 0, all);
  EXPECT_NE(print(gather).find("ds.all_gather"), std::string::npos);
  MlirOperation scatter = mlirDsReduceScatterCreate(location, text("sum"), x, share, 0, all);
  EXPECT_NE(print(scatter).find("ds.reduce_scatter"), std::string::npos);
  mlirOperationDestroy(gather);
  mlirOperationDestroy(scatter);
  EXPECT_TRUE(reported.empty()) << reported.front();

  EXPECT_TRUE(mlirOperationIsNull(mlirDsGradientCreate(location, w, text(""))));
  EXPECT_TRUE(mlirOperationIsNull(mlirDsAllReduceCreate(location, text("avg"), 1, &w, all)));
  EXPECT_TRUE(mlirOperationIsNull(mlirDsReduceScatterCreate(location, text("avg"), x, x, 0, all)));
  EXPECT_TRUE(mlirOperationIsNull(mlirDsAllGatherCreate(location, share, x, 2, all)));
  ASSERT_EQ(reported.size(), 4u);
  EXPECT_EQ(reported[1],
            "there is no reduction 'avg', expected sum, mean, max, min, prod, and or or");
  mlirModuleDestroy(sizes);
  mlirModuleDestroy(module);
}

TEST_F(MlirApiTest, TheDialectAloneIsAHandle) {
  MlirContext bare = mlirContextCreate();
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__ds__(), bare);
  MlirDialect loaded = mlirContextGetOrLoadDialect(bare, text("ds"));
  ASSERT_FALSE(mlirDialectIsNull(loaded));
  EXPECT_TRUE(
      mlirDialectEqual(loaded, mlirDialectHandleLoadDialect(mlirGetDialectHandle__ds__(), bare)));
  EXPECT_FALSE(
      mlirAttributeIsNull(mlirAttributeParseGet(bare, text("#ds.config<device_num = 2>"))));
  mlirContextDestroy(bare);
}

} // namespace
