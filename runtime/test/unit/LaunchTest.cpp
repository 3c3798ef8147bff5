//===- LaunchTest.cpp - Rank, size and address from an environment -*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "bootstrap/Launch.h"
#include "RankTableText.h"
#include "bootstrap/OwnSecret.h"

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

using namespace dsrt::bootstrap;

namespace {

using Variables = std::map<std::string, std::string>;

dsrt_status read(const Variables &variables, Launch &launch, std::string &text) {
  dsrt_error error = {};
  dsrt_status status = readLaunch(
      [&](const char *name) -> const char * {
        auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
      },
      launch, &error);
  text = error.text;
  return status;
}

Launch good(const Variables &variables) {
  Launch launch;
  std::string text;
  EXPECT_EQ(read(variables, launch, text), DSRT_OK) << text;
  return launch;
}

std::string bad(const Variables &variables) {
  Launch launch;
  std::string text;
  EXPECT_EQ(read(variables, launch, text), DSRT_INVALID_ARGUMENT);
  return text;
}

/// A file that is gone at the end of the scope.
struct File {
  explicit File(const std::string &text, mode_t mode = 0600) {
    char name[] = "dsrt-launch-XXXXXX";
    const int descriptor = mkstemp(name);
    EXPECT_GE(descriptor, 0);
    close(descriptor);
    path = name;
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
  }
  ~File() { std::remove(path.c_str()); }
  std::string path;
};

TEST(Launch, without_a_launcher_there_is_one_rank) {
  Launch launch = good({});
  EXPECT_EQ(launch.source, "");
  EXPECT_EQ(launch.numRanks, 1);
  EXPECT_FALSE(launch.byMpi);
}

TEST(Launch, every_launcher_is_understood) {
  Launch launch = good({{"DS_RANK", "3"},
                        {"DS_WORLD_SIZE", "4"},
                        {"DS_MASTER_ADDR", "here"},
                        {"DS_MASTER_PORT", "1234"},
                        {"DS_SECRET", "open sesame, now"}});
  EXPECT_EQ(launch.source, "DS_*");
  EXPECT_EQ(launch.rank, 3);
  EXPECT_EQ(launch.numRanks, 4);
  EXPECT_EQ(launch.address, "here");
  EXPECT_EQ(launch.port, 1234);
  EXPECT_EQ(launch.secret, "open sesame, now");

  launch = good({{"RANK", "5"},
                 {"WORLD_SIZE", "8"},
                 {"LOCAL_RANK", "1"},
                 {"LOCAL_WORLD_SIZE", "4"},
                 {"MASTER_ADDR", "10.0.0.1"},
                 {"MASTER_PORT", "29500"}});
  EXPECT_EQ(launch.source, "torchrun");
  EXPECT_EQ(launch.rank, 5);
  EXPECT_EQ(launch.localRank, 1);
  EXPECT_EQ(launch.localSize, 4);
  EXPECT_EQ(launch.address, "10.0.0.1");
  EXPECT_EQ(launch.port, 29501) << "torch listens on its own";

  launch = good({{"OMPI_COMM_WORLD_RANK", "1"},
                 {"OMPI_COMM_WORLD_SIZE", "2"},
                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                 {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  EXPECT_EQ(launch.source, "Open MPI");
  EXPECT_TRUE(launch.byMpi);
  EXPECT_EQ(launch.address, "127.0.0.1") << "all ranks are on this machine";

  launch = good(
      {{"PMI_RANK", "0"}, {"PMI_SIZE", "3"}, {"MPI_LOCALRANKID", "0"}, {"MPI_LOCALNRANKS", "2"}});
  EXPECT_EQ(launch.source, "PMI");
  EXPECT_EQ(launch.address, "") << "rank 0 may be elsewhere";

  launch = good({{"SLURM_PROCID", "7"},
                 {"SLURM_STEP_NUM_TASKS", "16"},
                 {"SLURM_LOCALID", "3"},
                 {"SLURM_STEP_NODELIST", "node[03-07,9],login"},
                 {"SLURM_JOB_ID", "123456"}});
  EXPECT_EQ(launch.source, "Slurm");
  EXPECT_EQ(launch.rank, 7);
  EXPECT_EQ(launch.localRank, 3);
  EXPECT_EQ(launch.address, "node03");
  EXPECT_EQ(launch.port, 23456);
  EXPECT_FALSE(launch.byMpi) << "srun --mpi=none";

  launch = good({{"RANK_ID", "2"},
                 {"RANK_SIZE", "4"},
                 {"MS_SCHED_HOST", "10.0.0.9"},
                 {"MS_SCHED_PORT", "8118"}});
  EXPECT_EQ(launch.source, "MindSpore");
  EXPECT_EQ(launch.rank, 2);
  EXPECT_EQ(launch.address, "10.0.0.9");
  EXPECT_EQ(launch.port, 8119);
}

TEST(Launch, msruns_workers_are_ranks_and_its_scheduler_is_none) {
  Launch launch = good({{"MS_ROLE", "MS_WORKER"},
                        {"MS_NODE_ID", "3"},
                        {"MS_WORKER_NUM", "4"},
                        {"MS_SCHED_HOST", "10.0.0.9"},
                        {"MS_SCHED_PORT", "8118"}});
  EXPECT_EQ(launch.source, "msrun");
  EXPECT_EQ(launch.rank, 3);
  EXPECT_EQ(launch.numRanks, 4);
  EXPECT_EQ(launch.address, "10.0.0.9");
  EXPECT_EQ(launch.port, 8119);
  EXPECT_EQ(good({{"MS_WORKER_NUM", "4"}}).source, "");
  EXPECT_EQ(bad({{"MS_ROLE", "MS_WORKER"}, {"MS_WORKER_NUM", "4"}}),
            "MS_WORKER_NUM is set, but MS_NODE_ID is not");
  EXPECT_EQ(bad({{"MS_ROLE", "MS_SCHED"}, {"MS_NODE_ID", "0"}, {"MS_WORKER_NUM", "4"}}),
            "MS_ROLE is MS_SCHED: this process is msrun's scheduler, which is no rank");
}

TEST(Launch, every_source_tells_its_size) {
  Launch launch = good({{"RANK", "0"},
                        {"WORLD_SIZE", "8"},
                        {"OMPI_COMM_WORLD_RANK", "1"},
                        {"OMPI_COMM_WORLD_SIZE", "2"}});
  ASSERT_EQ(launch.sizes.size(), 2u);
  EXPECT_EQ(launch.sizes[0], (std::pair<std::string, int32_t>("torchrun", 8)));
  EXPECT_EQ(launch.sizes[1], (std::pair<std::string, int32_t>("Open MPI", 2)));
}

TEST(Launch, srun_starts_programs_of_mpi_with_a_plugin_for_them) {
  Variables step = {{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}};
  EXPECT_FALSE(good(step).byMpi);
  EXPECT_EQ(good(step).localSize, -1);
  for (const char *variable : {"PMIX_NAMESPACE", "PMI_FD", "PMI_PORT"}) {
    Variables more = step;
    more[variable] = "4";
    EXPECT_TRUE(good(more).byMpi) << variable;
  }
  step["SLURM_STEP_NUM_NODES"] = "2";
  EXPECT_EQ(good(step).localSize, -1);
  step["SLURM_STEP_NUM_NODES"] = "1";
  EXPECT_EQ(good(step).localSize, 2) << "all of them are on one machine, so they need no secret";
}

TEST(Launch, an_allocation_of_slurm_is_no_launcher) {
  EXPECT_EQ(good({{"SLURM_PROCID", "0"}}).source, "");
  EXPECT_EQ(good({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}).source, "");
}

TEST(Launch, the_first_source_decides_and_our_own_address_comes_first) {
  Launch launch = good({{"DS_RANK", "0"},
                        {"DS_WORLD_SIZE", "8"},
                        {"RANK", "1"},
                        {"WORLD_SIZE", "4"},
                        {"MASTER_ADDR", "theirs"}});
  EXPECT_EQ(launch.source, "DS_*");
  EXPECT_EQ(launch.numRanks, 8);
  EXPECT_EQ(launch.address, "theirs");
  launch = good({{"RANK", "1"},
                 {"WORLD_SIZE", "4"},
                 {"MASTER_ADDR", "theirs"},
                 {"MASTER_PORT", "1"},
                 {"DS_MASTER_ADDR", "ours"},
                 {"DS_MASTER_PORT", "2"}});
  EXPECT_EQ(launch.address, "ours");
  EXPECT_EQ(launch.port, 2);
}

TEST(Launch, values_that_are_no_numbers_or_out_of_range_are_named) {
  EXPECT_EQ(bad({{"DS_RANK", "one"}, {"DS_WORLD_SIZE", "2"}}),
            "DS_RANK is 'one', expected a number from 0 to 4095");
  for (const char *value : {"-1", " 1", "1 ", "1x", "0x1", "99999999999999999999", "4096", "+1"})
    EXPECT_EQ(bad({{"DS_RANK", value}, {"DS_WORLD_SIZE", "2"}}),
              std::string("DS_RANK is '") + value + "', expected a number from 0 to 4095");
  EXPECT_EQ(bad({{"RANK", "0"}, {"WORLD_SIZE", "0"}}),
            "WORLD_SIZE is '0', expected a number from 1 to 4096");
  EXPECT_EQ(bad({{"DS_RANK", "0"}, {"DS_WORLD_SIZE", "2"}, {"DS_MASTER_PORT", "65536"}}),
            "DS_MASTER_PORT is '65536', expected a number from 1 to 65535");
}

TEST(Launch, a_message_is_one_line_whatever_a_variable_holds) {
  EXPECT_EQ(bad({{"DS_RANK", "1\n\x1b[2J"}, {"DS_WORLD_SIZE", "2"}}),
            "DS_RANK is '1 ?[2J', expected a number from 0 to 4095");
}

TEST(Launch, half_a_source_is_an_error) {
  EXPECT_EQ(bad({{"DS_RANK", "0"}}), "DS_RANK is set, but DS_WORLD_SIZE is not");
  EXPECT_EQ(bad({{"WORLD_SIZE", "2"}}), "WORLD_SIZE is set, but RANK is not");
  EXPECT_EQ(bad({{"RANK_TABLE_FILE", "t.json"}}), "RANK_TABLE_FILE is set, but RANK_ID is not");
}

TEST(Launch, contradictions_are_errors) {
  EXPECT_EQ(bad({{"DS_RANK", "2"}, {"DS_WORLD_SIZE", "2"}}),
            "DS_RANK is 2, but the world of DS_WORLD_SIZE has 2 ranks");
  EXPECT_EQ(bad({{"RANK", "0"},
                 {"WORLD_SIZE", "2"},
                 {"OMPI_COMM_WORLD_RANK", "1"},
                 {"OMPI_COMM_WORLD_SIZE", "2"}}),
            "RANK is 0, but OMPI_COMM_WORLD_RANK is 1, in a world of 2 ranks both");
  EXPECT_EQ(
      bad({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "2"}, {"LOCAL_WORLD_SIZE", "2"}}),
      "the local rank is 2, but this machine has 2 ranks");
  EXPECT_EQ(bad({{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"LOCAL_WORLD_SIZE", "4"}}),
            "this machine has 4 ranks, but the world has only 2");
  EXPECT_EQ(bad({{"DS_SECRET", "open sesame, now"}, {"DS_SECRET_FILE", "f"}}),
            "DS_SECRET and DS_SECRET_FILE are both set");
}

TEST(Launch, a_secret_comes_from_a_file_that_nobody_else_reads) {
  File secret("open sesame, now\n"), open("open sesame, now\n", 0644), brief("abc\n");
  EXPECT_EQ(good({{"DS_SECRET_FILE", secret.path}}).secret, "open sesame, now");
  EXPECT_EQ(bad({{"DS_SECRET_FILE", open.path}}),
            "the file '" + open.path + "' of DS_SECRET_FILE can be read by others; chmod 600 it");
  EXPECT_EQ(bad({{"DS_SECRET_FILE", brief.path}}),
            "the secret of DS_SECRET_FILE has 3 bytes, expected at least 16");
  const std::string absent = open.path + ".absent";
  EXPECT_EQ(bad({{"DS_SECRET_FILE", absent}}),
            "cannot read the file '" + absent + "' of DS_SECRET_FILE: no such file or directory");
  EXPECT_EQ(bad({{"DS_SECRET", "abc"}}),
            "the secret of DS_SECRET has 3 bytes, expected at least 16");
}

/// Root alone reads files of others that nobody else may read.
TEST(Launch, a_secret_is_in_a_file_of_the_user_or_of_root) {
  File secret("open sesame, now\n");
  if (geteuid() != 0 || chown(secret.path.c_str(), 12345, 0) != 0)
    GTEST_SKIP() << "only root can give files away";
  EXPECT_EQ(bad({{"DS_SECRET_FILE", secret.path}}),
            "the file '" + secret.path +
                "' of DS_SECRET_FILE belongs to user 12345, which can read what is in it, expected "
                "user 0");
}

TEST(Launch, a_job_has_the_name_that_its_launcher_gives) {
  EXPECT_EQ(good({{"DS_RANK", "0"}, {"DS_WORLD_SIZE", "2"}, {"SLURM_JOB_ID", "7"}}).job, "");
  EXPECT_EQ(good({{"DS_RANK", "0"}, {"DS_WORLD_SIZE", "2"}, {"DS_JOB_ID", "mine"}}).job, "mine");
  const Variables torchrun = {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"TORCHELASTIC_RUN_ID", "r1"}};
  EXPECT_EQ(good(torchrun).job, "r1");
  EXPECT_EQ(good({{"OMPI_COMM_WORLD_RANK", "0"},
                  {"OMPI_COMM_WORLD_SIZE", "2"},
                  {"PMIX_NAMESPACE", "12.1"}})
                .job,
            "12.1");
  Variables slurm = {{"SLURM_PROCID", "1"},
                     {"SLURM_STEP_NUM_TASKS", "2"},
                     {"SLURM_JOB_ID", "124"},
                     {"SLURM_STEP_ID", "3"}};
  EXPECT_EQ(good(slurm).job, "124.3");
  slurm["SLURM_HET_JOB_ID"] = "123";
  EXPECT_EQ(good(slurm).job, "123.3");
  slurm["DS_JOB_ID"] = "mine";
  EXPECT_EQ(good(slurm).job, "mine");
}

TEST(Launch, a_secret_has_16_bytes_or_more) {
  EXPECT_EQ(bad({{"DS_SECRET", "123456789012345"}}),
            "the secret of DS_SECRET has 15 bytes, expected at least 16");
  EXPECT_EQ(good({{"DS_SECRET", "1234567890123456"}}).secret, "1234567890123456");
  File empty("\nopen sesame, now\n");
  EXPECT_EQ(bad({{"DS_SECRET_FILE", empty.path}}),
            "the file '" + empty.path + "' of DS_SECRET_FILE has no secret in its first line");
}

/// What never ends or never begins, in the place of a small file.
TEST(Launch, only_regular_files_up_to_a_limit_are_read) {
  const std::string fifo = "dsrt-launch-fifo-" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  auto table = [](const std::string &path) {
    return bad({{"RANK_TABLE_FILE", path}, {"RANK_ID", "0"}});
  };
  auto secret = [](const std::string &path) { return bad({{"DS_SECRET_FILE", path}}); };
  for (const std::string &path : {fifo, std::string("/dev/zero"), std::string("/dev/null")}) {
    EXPECT_EQ(table(path), "cannot read the rank table '" + path +
                               "' of RANK_TABLE_FILE: it is no regular file");
    EXPECT_EQ(secret(path),
              "cannot read the file '" + path + "' of DS_SECRET_FILE: it is no regular file");
  }
  std::remove(fifo.c_str());
  EXPECT_EQ(table("/"), "cannot read the rank table '/' of RANK_TABLE_FILE: it is a directory");
  File longTable(std::string((4 << 20) + 1, ' ')), longSecret(std::string(4097, 'x'));
  EXPECT_EQ(table(longTable.path), "cannot read the rank table '" + longTable.path +
                                       "' of RANK_TABLE_FILE: it has more than 4194304 bytes");
  EXPECT_EQ(secret(longSecret.path), "cannot read the file '" + longSecret.path +
                                         "' of DS_SECRET_FILE: it has more than 4096 bytes");
}

TEST(Launch, a_job_without_secret_or_address_does_not_join) {
  Launch launch = good({{"DS_RANK", "0"}, {"DS_WORLD_SIZE", "2"}});
  std::shared_ptr<Store> store;
  dsrt_error error = {};
  EXPECT_EQ(joinLaunched(launch, 1000, store, &error), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text, "DS_* gives no address of rank 0; set DS_MASTER_ADDR");
  launch.address = "10.0.0.1";
  EXPECT_EQ(joinLaunched(launch, 1000, store, &error), DSRT_INVALID_ARGUMENT);
  EXPECT_STREQ(error.text, "a job of 2 processes needs a secret that all of them know: set "
                           "DS_SECRET or DS_SECRET_FILE; they may be on several machines");
}

TEST(Launch, a_job_of_one_machine_has_the_secret_of_its_user) {
  char folder[] = "/tmp/dsrt-test-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  const char *before = std::getenv("TMPDIR");
  const std::string kept = before ? before : "";
  setenv("TMPDIR", folder, 1);
  std::string first, second, why;
  EXPECT_TRUE(readOwnSecret(first, why)) << why;
  EXPECT_TRUE(readOwnSecret(second, why)) << why;
  EXPECT_EQ(first, second);
  EXPECT_EQ(first.size(), 64u);
  // Of others, or readable by them, it is none.
  const std::string own = std::string(folder) + "/dsrt-" + std::to_string(geteuid());
  ASSERT_EQ(chmod((own + "/secret").c_str(), 0644), 0);
  EXPECT_FALSE(readOwnSecret(first, why));
  EXPECT_EQ(why, "'" + own + "/secret' is not a secret of this user alone");
  ASSERT_EQ(chmod(own.c_str(), 0755), 0);
  EXPECT_FALSE(readOwnSecret(first, why));
  EXPECT_EQ(why, "'" + own + "' is not a folder of this user alone");
  before ? setenv("TMPDIR", kept.c_str(), 1) : unsetenv("TMPDIR");
  std::remove((own + "/secret").c_str());
  rmdir(own.c_str());
  rmdir(folder);
}

TEST(Launch, a_rank_table_gives_size_address_and_devices) {
  File file(table);
  Launch launch = good({{"RANK_TABLE_FILE", file.path}, {"RANK_ID", "1"}});
  EXPECT_EQ(launch.source, "MindSpore");
  EXPECT_EQ(launch.numRanks, 3);
  EXPECT_EQ(launch.localRank, 1);
  EXPECT_EQ(launch.localSize, 2);
  EXPECT_EQ(launch.address, "10.0.0.1");
  EXPECT_EQ(good({{"MINDSPORE_HCCL_CONFIG_PATH", file.path}, {"RANK_ID", "2"}}).localRank, 0);
  EXPECT_EQ(bad({{"RANK_TABLE_FILE", file.path}, {"RANK_ID", "1"}, {"RANK_SIZE", "4"}}),
            "RANK_SIZE is 4, but the rank table '" + file.path + "' has 3 devices");
  EXPECT_EQ(bad({{"RANK_TABLE_FILE", file.path}, {"RANK_ID", "3"}}),
            "RANK_ID is 3, but the world of RANK_TABLE_FILE has 3 ranks");
  const std::string absent = file.path + ".absent";
  EXPECT_EQ(bad({{"RANK_TABLE_FILE", absent}, {"RANK_ID", "1"}}),
            "cannot read the rank table '" + absent +
                "' of RANK_TABLE_FILE: no such file or directory");
}

TEST(Launch, the_first_host_of_slurms_list) {
  EXPECT_EQ(firstHost("login"), "login");
  EXPECT_EQ(firstHost("a1,a2"), "a1");
  EXPECT_EQ(firstHost("node[03-07,9],login"), "node03");
  EXPECT_EQ(firstHost("n[5,7]"), "n5");
  for (const char *wrong : {"", ",", "n[", "n[]", "n[-1]", "n 1", "n[1", "[]"})
    EXPECT_EQ(firstHost(wrong), "") << wrong;
}

} // namespace
