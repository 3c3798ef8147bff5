//===- SaveLock.cpp - One training for each --save --------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The holder removes the file before it releases the lock. A waiting job may then lock a file that
// has no name any more, so it looks the name up again.
//
//===----------------------------------------------------------------------===//
#include "ds/Run/Feed/SaveLock.h"

#include "ds/Support/File.h"
#include "ds/Support/UserError.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <pthread.h>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ds {

using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static std::string systemText(int error) {
  std::string text = strerror(error);
  text[0] = tolower(text[0]);
  return text;
}

/// Returns "process 12 on host a".
static std::string myself() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return "process " + std::to_string(getpid()) + " on host " + host;
}

static std::string textOf(int descriptor) {
  char text[512];
  ssize_t count = pread(descriptor, text, sizeof text, 0);
  return StringRef(text, std::max<ssize_t>(count, 0)).split('\n').first.str();
}

static void write(int descriptor, const std::string &holder) {
  const std::string text = holder + "\n";
  if (ftruncate(descriptor, 0) == 0)
    (void)!pwrite(descriptor, text.data(), text.size(), 0);
}

std::string SaveLock::holderOf(StringRef save) {
  int descriptor = ::open((save + ".lock").str().c_str(),
                          O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0)
    return "";
  std::string holder = textOf(descriptor);
  close(descriptor);
  return holder;
}

static bool isStillNamed(const std::string &path, int descriptor) {
  struct stat named, locked;
  return lstat(path.c_str(), &named) == 0 && fstat(descriptor, &locked) == 0 &&
         named.st_dev == locked.st_dev && named.st_ino == locked.st_ino;
}

namespace {
/// The descriptors of this process's locks. Children of fork close them, because a lock lasts as
/// long as any copy of its descriptor.
class Inherited {
public:
  static Inherited &instance() {
    static Inherited inherited;
    return inherited;
  }
  void add(int descriptor) {
    std::lock_guard guard(mutex);
    descriptors.insert(descriptor);
  }
  void close(int descriptor) {
    std::lock_guard guard(mutex);
    if (descriptors.erase(descriptor))
      ::close(descriptor);
  }

private:
  Inherited() {
    pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                   [] {
                     for (int descriptor : instance().descriptors)
                       ::close(descriptor);
                     instance().descriptors.clear();
                     instance().mutex.unlock();
                   });
  }
  std::mutex mutex;
  std::set<int> descriptors;
};
} // namespace

Error SaveLock::add(StringRef save, llvm::function_ref<void(const std::string &)> warn,
                    bool waits) {
  const std::string path = save.str() + ".lock";
  const int slices = waits ? 60 : 0;
  constexpr useconds_t slice = 50'000;
  for (int slept = 0;;) {
    // A link that another user made must not be written through.
    constexpr int flags = O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int descriptor = ::open(path.c_str(), O_RDWR | flags, 0666);
    if (descriptor < 0 && errno == EACCES) // another user's, left by a kill
      descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
      return writeError(path, systemText(errno));
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
      if (!isStillNamed(path, descriptor)) {
        close(descriptor);
        continue;
      }
      write(descriptor, owner);
      held.push_back({path, descriptor});
      Inherited::instance().add(descriptor);
      return Error::success();
    }
    const int error = errno;
    const std::string holder = textOf(descriptor);
    if (error != EINTR && error != EWOULDBLOCK)
      write(descriptor, owner); // which other processes recognise without a lock, too
    close(descriptor);
    if (error == EINTR)
      continue;
    if (error != EWOULDBLOCK) {
      warn("'" + path + "' cannot be locked (" + systemText(error) +
           "), so nothing keeps another job from writing the same files");
      return Error::success();
    }
    if (++slept > slices)
      return userError("'" + save + "' is being written by another job, " +
                       (holder.empty() ? "another process" : holder) +
                       "; wait for its end, or give --save another name");
    usleep(slice);
  }
}

Expected<std::unique_ptr<SaveLock>>
SaveLock::take(StringRef save, llvm::function_ref<void(const std::string &)> warn, bool waits) {
  std::unique_ptr<SaveLock> lock(new SaveLock());
  if (Error error = lock->add(save, warn, waits))
    return error;
  // The file may have a second name.
  auto target = writtenFile(save);
  if (!target)
    return target.takeError();
  if (*target != save)
    if (Error error = lock->add(*target, warn, waits))
      return error;
  return lock;
}

Error SaveLock::check() const {
  if (process != getpid())
    return userError(
        "a child of fork does not write the files of the training that it was made in");
  for (const Held &lock : held)
    // If the whole directory is gone, the write that follows reports it.
    if (!isStillNamed(lock.path, lock.descriptor) && hasDirectory(lock.path))
      return userError("'" + lock.path +
                       "' was removed or replaced while this job trains, so "
                       "nothing keeps another one from writing the same files; nothing more is "
                       "saved: see that no other job writes them, and start again with --resume");
  return Error::success();
}

SaveLock::SaveLock() : process(getpid()), owner(myself()) {}

SaveLock::~SaveLock() {
  if (process != getpid())
    return;
  for (const Held &lock : held) {
    if (isStillNamed(lock.path, lock.descriptor))
      unlink(lock.path.c_str());
    Inherited::instance().close(lock.descriptor);
  }
}

} // namespace ds
