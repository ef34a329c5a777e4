// SPDX-License-Identifier: MIT OR Apache-2.0
#include "shim.h"

#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

#include "Vlsu_layout.h"
#include "gpu-lsu/src/dut/bridge.rs.h"
#include "verilated.h"
#include "verilated_vcd_c.h"
#ifdef GPU_LSU_VLSU32
#include "Vlsu32.h"
#endif
#ifdef GPU_LSU_VLSU16
#include "Vlsu16.h"
#endif
#ifdef GPU_LSU_VLSU8
#include "Vlsu8.h"
#endif
#ifdef GPU_LSU_VLSU4
#include "Vlsu4.h"
#endif
#ifdef GPU_LSU_VLSU_FAULTY
#include "Vlsu_faulty.h"
#endif

namespace {
// What the RTL of this thread has printed since somebody asked.
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

template <class Model>
class Verilated_unit final : public Unit {
 public:
  Verilated_unit() {
    context_.fatalOnError(false);
    context_.randReset(2);
    context_.randSeed(1);
    context_.traceEverOn(true);
    model_ = std::make_unique<Model>(&context_, "");
  }

  ~Verilated_unit() override {
    close_trace();
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
#ifdef GPU_LSU_VLSU_FAULTY
    if constexpr (std::is_same_v<Model, Vlsu_faulty>) {
      ports.push_back(Port{"fault_i", reinterpret_cast<std::size_t>(&model_->fault_i), sizeof model_->fault_i});
    }
#endif
    return ports;
  }

  void open_trace(rust::Str path) override {
    trace_ = std::make_unique<VerilatedVcdC>();
    model_->trace(trace_.get(), 99);
    trace_->open(std::string(path).c_str());
    if (!trace_->isOpen()) {
      trace_.reset();
      throw std::runtime_error("cannot write the trace");
    }
  }

  void dump(std::uint64_t time) override {
    if (trace_) trace_->dump(time);
  }

  void close_trace() override {
    if (trace_) trace_->close();
    trace_.reset();
  }

 private:
  // What Verilator's library calls the context of this thread is whichever was used last, perhaps another unit's, or
  // one that is gone.
  void enter() { Verilated::threadContextp(&context_); }

  VerilatedContext context_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<VerilatedVcdC> trace_;
};

}  // namespace

std::unique_ptr<Unit> new_unit(rust::Str prefix) {
#ifdef GPU_LSU_VLSU32
  if (prefix == "Vlsu32") return std::make_unique<Verilated_unit<Vlsu32>>();
#endif
#ifdef GPU_LSU_VLSU16
  if (prefix == "Vlsu16") return std::make_unique<Verilated_unit<Vlsu16>>();
#endif
#ifdef GPU_LSU_VLSU8
  if (prefix == "Vlsu8") return std::make_unique<Verilated_unit<Vlsu8>>();
#endif
#ifdef GPU_LSU_VLSU4
  if (prefix == "Vlsu4") return std::make_unique<Verilated_unit<Vlsu4>>();
#endif
#ifdef GPU_LSU_VLSU_FAULTY
  if (prefix == "Vlsu_faulty") return std::make_unique<Verilated_unit<Vlsu_faulty>>();
#endif
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
