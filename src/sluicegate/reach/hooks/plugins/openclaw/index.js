// Sluicegate before the tools of OpenClaw. Written by `sluicegate hook install openclaw`; `sluicegate hook remove openclaw` takes it away.
//
// Before each call our hook is asked. What it refuses is blocked, and so is every failure.
import { spawn } from "node:child_process"

const COMMAND = ["sluicegate", "hook", "openclaw"]
const LONGEST = 40_000 // milliseconds; the hook itself takes no more than 25 seconds

/** What our hook answers: nothing, or a reason to refuse. */
function ask(event) {
  return new Promise((resolve) => {
    const failed = (why) => resolve(`sluicegate: this is refused, since the hook has not decided: ${why}`)
    let child
    try {
      child = spawn(COMMAND[0], COMMAND.slice(1), { stdio: ["pipe", "ignore", "pipe"] })
    } catch (error) {
      return failed(String(error?.message ?? error))
    }
    let reason = ""
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      failed("it took too long")
    }, LONGEST)
    child.on("error", (error) => {
      clearTimeout(timer)
      failed(error.message)
    })
    child.stderr.on("data", (data) => (reason += data))
    child.on("close", (code) => {
      clearTimeout(timer)
      if (code === 0) resolve("")
      else if (code === 2 && reason.trim()) resolve(reason.trim())
      else failed(`it ended with ${code}`)
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
}

/** An event of ours. What code mode runs is not shell text, though it goes by the name of the shell. */
function told(name, event, ctx) {
  return {
    hook_event_name: name,
    session_id: ctx?.sessionKey ?? ctx?.sessionId,
    tool_name: event.toolKind === "code_mode_exec" ? "code_mode_exec" : event.toolName,
    tool_input: event.params ?? {},
    tool_use_id: event.toolCallId,
  }
}

export default {
  id: "sluicegate",
  name: "Sluicegate",
  description: "Asks policy before each call of a tool.",
  register(api) {
    api.on(
      "before_tool_call",
      async (event, ctx) => {
        const reason = await ask(told("before_tool_call", event, ctx))
        return reason ? { block: true, blockReason: reason } : undefined
      },
      { timeoutMs: 60_000 },
    )
    api.on("after_tool_call", async (event, ctx) => {
      await ask({ ...told("after_tool_call", event, ctx), tool_response: event.result ?? event.error ?? null })
    })
  },
}
