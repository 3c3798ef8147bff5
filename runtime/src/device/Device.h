//===- Device.h - What a vendor provides ------------------------*- C++ -*-===//
//
// Part of the ds project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nccl and hccl differ in names, numbers and a few habits. These three classes hold the
// differences; rendezvous, staging, waiting and failing are written once above them
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
/// queued; nothing here waits for the stream, except where a function says so.
class Device {
public:
  virtual ~Device() = default;

  /// Makes the calling thread use this device; before anything else on a new thread.
  [[nodiscard]] virtual dsrt_status bind(dsrt_error *error) = 0;

  [[nodiscard]] virtual dsrt_status allocate(int64_t bytes, void **out, dsrt_error *error) = 0;
  virtual void release(void *data) = 0;
  /// Whether the library could register memory of allocate(), to use it where it lies. What the
  /// ranks agree on is said before anything is allocated: mixing kinds of memory is undefined.
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

  /// Marks 0 and 1 are points of the stream: everything queued until now, and whether it is done.
  static constexpr int numMarks = 2;
  [[nodiscard]] virtual dsrt_status mark(int index, dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status reached(int index, bool &done, dsrt_error *error) = 0;

  /// A point of the caller's own stream, and making ours wait for it. Ends the event's life.
  [[nodiscard]] virtual dsrt_status markCaller(void *stream, void **outEvent,
                                               dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status waitForCaller(void *event, dsrt_error *error) = 0;
  /// A point of our stream, and making the caller's wait for it. Ends the event's life, too.
  [[nodiscard]] virtual dsrt_status markOwn(void **, dsrt_error *) { return DSRT_UNSUPPORTED; }
  [[nodiscard]] virtual dsrt_status letCallerWait(void *, void *, dsrt_error *) {
    return DSRT_UNSUPPORTED;
  }
  void forgetCaller(void *event) {
    std::lock_guard<std::mutex> lock(mutex);
    callersEvents.push_back(event);
  }

  /// Work may still be queued that will never end: destruction must not wait for it.
  void abandon() { abandoned = true; }

protected:
  /// An event for the caller's stream, or null if all are in use.
  void *takeEvent() {
    std::lock_guard<std::mutex> lock(mutex);
    if (callersEvents.empty())
      return nullptr;
    void *event = callersEvents.back();
    callersEvents.pop_back();
    return event;
  }

  bool abandoned = false, registration = false;
  std::mutex mutex;                  // of what the caller's thread uses, too: memory and events
  std::vector<void *> callersEvents; // free ones
};

/// The communicator of one group. Messages are queued on the device's stream.
class Communicator {
public:
  virtual ~Communicator() = default;

  /// Messages between begin and end are one step for the library.
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
  /// Between two members, which may be this one; -1: nobody. One of the two is somebody.
  [[nodiscard]] virtual dsrt_status sendAndReceive(const void *input, int32_t destination,
                                                   void *output, int32_t source, int64_t elements,
                                                   dsrt_dtype dtype, dsrt_error *error) = 0;
  [[nodiscard]] virtual dsrt_status broadcast(void *data, int64_t elements, dsrt_dtype dtype,
                                              int32_t root, dsrt_error *error) = 0;
  /// After a message, outside begin and end: makes its sum the mean, if the library did not.
  [[nodiscard]] virtual dsrt_status finishMean(void *data, int64_t elements, dsrt_dtype dtype,
                                               Waiting &waiting, dsrt_error *error) = 0;

  /// What has gone wrong since the messages were queued.
  [[nodiscard]] virtual dsrt_status health(dsrt_error *error) = 0;
  /// Ends what is under way, where the library can.
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
  /// Bytes with which the members of a new group find each other; made by the first of them.
  [[nodiscard]] virtual dsrt_status newId(std::string &id, dsrt_error *error) = 0;
  /// All members call it at once; the members have met.
  [[nodiscard]] virtual dsrt_status connect(Device &device, const dsrt_options &options,
                                            int32_t members, int32_t index, const std::string &id,
                                            Waiting &waiting, std::unique_ptr<Communicator> &out,
                                            dsrt_error *error) = 0;
  /// Bytes that may travel in one message; 0: any.
  virtual int64_t largestMessage() { return 0; }
  /// The library's own limit on the time of a collective, if it is shorter.
  virtual int64_t limitTimeout(int64_t timeoutMs) { return timeoutMs; }
  /// The library takes several messages as one (begin, end); else each is queued alone.
  virtual bool hasGroups() { return true; }
};

dsrt_status join(Vendor &vendor, const dsrt_options *options, const dsrt_place *place,
                 void **outState, dsrt_error *error);

/// The table of the backend `name` of a vendor, of which there is one per process.
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

/// The identifier of a group, as another member has sent it, in the vendor's type.
template <size_t bytes>
[[nodiscard]] dsrt_status readId(const std::string &id, char (&out)[bytes], dsrt_error *error) {
  if (id.size() != bytes) {
    setText(error, "the identifier of the group has %zu bytes, expected %zu", id.size(), bytes);
    return DSRT_INTERNAL;
  }
  std::memcpy(out, id.data(), bytes);
  return DSRT_OK;
}

} // namespace dsrt::device

#endif // DSRT_SRC_DEVICE_DEVICE_H
