// SPDX-License-Identifier: MIT OR Apache-2.0
#include "shim.h"

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "Vlsu_layout.h"
#include "gpu-lsu/src/dut/bridge.rs.h"
#include "trace.h"
#include "verilated.h"
#ifdef GPU_LSU_LINE_COVERAGE
#include "verilated_cov.h"
#endif
#include "units.h"

namespace {
// What the RTL of this thread has printed and nobody has fetched yet.
thread_local std::string report;
}  // namespace

extern "C" int gpu_lsu_report(const char* format, ...) {
  char line[1024];
  va_list args;
  va_start(args, format);
  const int length = std::vsnprintf(line, sizeof line, format, args);
  va_end(args);
  report += line;
  return length;
}

// A failed assertion is an error to report, not a reason to end the process.
void vl_stop(const char*, int, const char*) { Verilated::threadContextp()->gotError(true); }
void vl_fatal(const char*, int, const char*, const char* message) { throw std::runtime_error(message); }

namespace gpu_lsu {
namespace {

// The copy with planted faults has a port that chooses one.
template <class Model, class = void>
struct Is_faulty : std::false_type {};
template <class Model>
struct Is_faulty<Model, std::void_t<decltype(std::declval<Model>().fault_i)>> : std::true_type {};

// Verilator's seed is one for all contexts, and setting it restarts the random sequence of every thread: registers
// without a reset begin alike only if no other unit is built meanwhile.
std::mutex drawing;

template <class Model>
class Verilated_unit final : public Unit {
 public:
  explicit Verilated_unit(std::int32_t power_up) {
    context_.fatalOnError(false);
    context_.randReset(power_up);
    context_.traceEverOn(true);
    const std::lock_guard<std::mutex> lock{drawing};
    context_.randSeed(1);
    // The scope of the trace: under this name every version of Verilator has the ports and the submodules.
    model_ = std::make_unique<Model>(&context_, "top");
  }

  ~Verilated_unit() override {
    close_trace();
    trace_.reset();
    enter();
    model_->final();
    model_.reset();
    report.clear();
  }

  void eval() override {
    enter();
    model_->eval();
    if (context_.gotError()) {
      context_.gotError(false);
      throw std::runtime_error(std::exchange(report, {}));
    }
  }

  rust::String last_words() override {
    enter();
    report.clear();
    model_->final();
    return rust::String::lossy(std::exchange(report, {}));
  }

  rust::Vec<Port> ports() const override {
    rust::Vec<Port> ports;
#define PORT(name) \
  ports.push_back(Port{#name, reinterpret_cast<std::size_t>(&model_->name), sizeof model_->name});
#include "ports.inc"
#undef PORT
    if constexpr (Is_faulty<Model>::value) {
      ports.push_back(Port{"fault_i", reinterpret_cast<std::size_t>(&model_->fault_i), sizeof model_->fault_i});
    }
    return ports;
  }

  void open_trace(rust::Box<Sink> sink) override {
    close_trace();
    if (!trace_) trace_ = std::make_unique<Trace>(*model_);
    trace_->begin(std::move(sink));
  }

  void dump(std::uint64_t time) override {
    if (trace_) trace_->dump(time);
  }

  void write_lines(rust::Str path) override {
    enter();
#ifdef GPU_LSU_LINE_COVERAGE
    context_.coveragep()->write(std::string(path).c_str());
#else
    static_cast<void>(path);
#endif
  }

  void close_trace() override {
    if (trace_) trace_->end();
  }

 private:
  // Verilator's library uses the last context of this thread, which may be another unit's, or one that is gone.
  void enter() { Verilated::threadContextp(&context_); }

  VerilatedContext context_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Trace> trace_;
};

}  // namespace

std::unique_ptr<Unit> new_unit(rust::Str prefix, std::int32_t power_up) {
#define UNIT(name) \
  if (prefix == #name) return std::make_unique<Verilated_unit<name>>(power_up);
#include "units.inc"
#undef UNIT
  return nullptr;
}

rust::String layout() {
  VerilatedContext context;
  Verilated::threadContextp(&context);
  Vlsu_layout model(&context, "");
  report.clear();
  model.eval();
  model.final();
  return std::exchange(report, {});
}

}  // namespace gpu_lsu
