//===- Device.h - The interface of a vendor's device ------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nccl and hccl differ in names, numbers and a few habits. These three classes hold the
// differences; rendezvous, staging, waiting and failures are written once on top of them
// (DeviceBackend.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef DSRT_SRC_DEVICE_DEVICE_H
#define DSRT_SRC_DEVICE_DEVICE_H

#include "Waiting.h"
#include "base/Messages.h"
#include "dsrt/backend.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace dsrt::device {

/// The device of one rank and the stream on which its collectives run. Copies and messages are only
/// queued; no function waits for the stream unless its comment states so.
class Device {
public:
  virtual ~Device() = default;

  /// Makes the calling thread use this device; called first on every new thread.
  [[nodiscard]] virtual dsrt_status bind(dsrt_error *error) = 0;

  [[nodiscard]] virtual dsrt_status allocate(int64_t bytes, void **out, dsrt_error *error) = 0;
  virtual void release(void *data) = 0;
  /// True if the library could register memory of allocate(), to use it in place. Known before
  /// anything is allocated, because the ranks agree on it first: mixing kinds of memory is
  /// undefined.
  virtual bool canRegister() { return false; }
  void useRegistration(bool agreed) { registration = agreed; }
  bool registers() const { return registration; }
  /// Host memory that the device reads and writes by itself.
  [[nodiscard]] virtual dsrt_status allocatePinned(int64_t bytes, void **out,
                                                   dsrt_error *error) = 0;
  virtual void releasePinned(void *data) = 0;
  virtual bool isDeviceMemory(const void *data) = 0;

  [[nodiscard]] virtual dsrt_status toDevice(void *device, const void *pinned, int64_t bytes,
                                             dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status toHost(void *pinned, const void *device, int64_t bytes,
                                           dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status onDevice(void *to, const void *from, int64_t bytes,
                                             dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status zero(void *data, int64_t bytes, dsrt_error *error) = 0;

  /// Marks 0 and 1 are points of the stream: mark() records one after everything queued until now,
  /// and reached() reports whether the stream has passed it.
  static constexpr int numMarks = 2;
  [[nodiscard]] virtual dsrt_status mark(int index, dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status reached(int index, bool &done, dsrt_error *error) = 0;

  /// Records a point of the caller's own stream, and makes ours wait for it. The wait ends the
  /// event's life.
  [[nodiscard]] virtual dsrt_status markCaller(void *stream, void **outEvent,
                                               dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status waitForCaller(void *event, dsrt_error *error) = 0;
  /// Records a point of our stream, and makes the caller's wait for it. The wait ends the event's
  /// life, too.
  [[nodiscard]] virtual dsrt_status markOwn(void **, dsrt_error *) { return DSRT_UNSUPPORTED; }
  [[nodiscard]] virtual dsrt_status letCallerWait(void *, void *, dsrt_error *) {
    return DSRT_UNSUPPORTED;
  }
  void forgetCaller(void *event) {
    std::lock_guard<std::mutex> lock(mutex);
    callersEvents.push_back(event);
  }

  /// Queued work may never end: the destructor must not wait for it.
  void abandon() { abandoned = true; }

protected:
  /// Returns an event for the caller's stream, or null if all are in use.
  void *takeEvent() {
    std::lock_guard<std::mutex> lock(mutex);
    if (callersEvents.empty())
      return nullptr;
    void *event = callersEvents.back();
    callersEvents.pop_back();
    return event;
  }

  bool abandoned = false, registration = false;
  std::mutex mutex;                  // guards what the caller's thread uses, too: memory and events
  std::vector<void *> callersEvents; // free ones
};

/// The communicator of one group. Messages are queued on the device's stream.
class Communicator {
public:
  virtual ~Communicator() = default;

  /// Messages between begin() and end() are one step for the library.
  [[nodiscard]] virtual dsrt_status begin(dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status end(Waiting &waiting, dsrt_error *error) = 0;

  [[nodiscard]] virtual dsrt_status allReduce(void *data, int64_t elements, dsrt_dtype dtype,
                                              dsrt_reduction reduction, dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status reduceScatter(const void *input, void *output, int64_t elements,
                                                  dsrt_dtype dtype, dsrt_reduction reduction,
                                                  dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status allGather(const void *input, void *output, int64_t elements,
                                              dsrt_dtype dtype, dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status allToAll(const void *input, void *output, int64_t elements,
                                             dsrt_dtype dtype, dsrt_error *error) = 0;
  /// Sends to one member and receives from one, each of which may be this one, or -1: none. At
  /// least one of the two is a member.
  [[nodiscard]] virtual dsrt_status sendAndReceive(const void *input, int32_t destination,
                                                   void *output, int32_t source, int64_t elements,
                                                   dsrt_dtype dtype, dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status broadcast(void *data, int64_t elements, dsrt_dtype dtype,
                                              int32_t root, dsrt_error *error) = 0;
  /// Called after a message, outside begin() and end(): makes its sum the mean, if the library did
  /// not.
  [[nodiscard]] virtual dsrt_status finishMean(void *data, int64_t elements, dsrt_dtype dtype,
                                               Waiting &waiting, dsrt_error *error) = 0;

  /// Reports an error of the messages queued so far.
  [[nodiscard]] virtual dsrt_status health(dsrt_error *error) = 0;
  /// Ends the work under way, where the library can.
  virtual void abort() = 0;

  /// Registers memory of the device, if the library can, until it is removed.
  [[nodiscard]] virtual dsrt_status add(void *data, int64_t bytes, dsrt_error *error) = 0;
  virtual void remove(void *data) = 0;
};

class Vendor {
public:
  virtual ~Vendor() = default;

  /// Loads the libraries, once per process, and opens a device.
  [[nodiscard]] virtual dsrt_status open(const dsrt_options &options, int32_t localRank,
                                         std::unique_ptr<Device> &out, dsrt_error *error) = 0;
  /// Makes the bytes by which the members of a new group find each other; called by the first of
  /// them.
  [[nodiscard]] virtual dsrt_status newId(std::string &id, dsrt_error *error) = 0;
  /// Connects the members of a group. All members call it at once, after they have met.
  [[nodiscard]] virtual dsrt_status connect(Device &device, const dsrt_options &options,
                                            int32_t members, int32_t index, const std::string &id,
                                            Waiting &waiting, std::unique_ptr<Communicator> &out,
                                            dsrt_error *error) = 0;
  /// Returns how many bytes may travel in one message; 0: any number.
  virtual int64_t largestMessage() { return 0; }
  /// Returns the library's own limit on the time of a collective, if it is shorter.
  virtual int64_t limitTimeout(int64_t timeoutMs) { return timeoutMs; }
};

dsrt_status join(Vendor &vendor, const dsrt_options *options, const dsrt_place *place,
                 void **outState, dsrt_error *error);

/// Makes the table of the backend `name` of a vendor, of which there is one per process.
dsrt_backend makeTable(const char *name, uint32_t (*reductionsOf)(dsrt_dtype), int32_t (*devices)(),
                       decltype(dsrt_backend::join) joinVendor);
template <typename OneVendor> dsrt_backend makeTable(const char *name) {
  return makeTable(
      name, OneVendor::reductions, OneVendor::devices,
      [](const dsrt_options *options, const dsrt_place *place, void **outState, dsrt_error *error) {
        static OneVendor vendor;
        return join(vendor, options, place, outState, error);
      });
}

/// Reads the identifier of a group, as another member has sent it, into the vendor's type.
template <size_t bytes>
[[nodiscard]] dsrt_status readId(const std::string &id, char (&out)[bytes], dsrt_error *error) {
  if (id.size() != bytes)
    return failWith(error, DSRT_INTERNAL, "the identifier of the group has %zu bytes, expected %zu",
                    id.size(), bytes);
  std::memcpy(out, id.data(), bytes);
  return DSRT_OK;
}

} // namespace dsrt::device

#endif // DSRT_SRC_DEVICE_DEVICE_H
