// Sluicegate before the tools of OpenCode. Written by `sluicegate hook install opencode`; `sluicegate hook remove opencode` takes it away.
//
// 1. Before each call our hook is asked. What it refuses throws, and so does every failure: OpenCode then does not run the tool.
// 2. A sub-agent has a session of its own. Ours is the one at the root, so that a sub-agent is held by what its caller has taken in.
import { spawn } from "node:child_process"

const COMMAND = ["sluicegate", "hook", "opencode"]
const LONGEST = 60_000 // milliseconds; the hook itself takes no more than 25 seconds

/** What our hook answers: nothing, or a reason to refuse. */
function ask(directory, event) {
  return new Promise((resolve) => {
    const failed = (why) => resolve(`sluicegate: this is refused, since the hook has not decided: ${why}`)
    let child
    try {
      child = spawn(COMMAND[0], COMMAND.slice(1), { cwd: directory, stdio: ["pipe", "ignore", "pipe"] })
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
    child.stdin.end(JSON.stringify({ cwd: directory, ...event }))
  })
}

export const Sluicegate = async ({ client, directory }) => {
  const parents = new Map() // of each session, who called it; undefined where nobody did
  const commands = new Set() // the sessions whose next prompt is what a command says

  /** The session at the root (2). One that did not begin here goes on with what may have been seen by nobody. */
  async function root(session) {
    for (let depth = 0; depth < 50; depth++) {
      if (!parents.has(session)) {
        let parent
        try {
          parent = (await client.session.get({ path: { id: session } })).data.parentID
        } catch {
          parent = undefined
        }
        parents.set(session, parent)
        if (!parent) await ask(directory, { hook_event_name: "session.resumed", session_id: session })
      }
      const parent = parents.get(session)
      if (!parent) return session
      session = parent
    }
    throw new Error("sluicegate: this is refused: nobody knows whose sub-agent this is")
  }

  return {
    event: async ({ event }) => {
      const info = event?.properties?.info
      if (event?.type === "session.created" && info?.id) parents.set(info.id, info.parentID)
    },
    "command.execute.before": async (input) => {
      commands.add(input.sessionID)
    },
    "chat.message": async (input, output) => {
      const session = await root(input.sessionID)
      const command = commands.delete(input.sessionID)
      if (session !== input.sessionID) return // a prompt of an agent, and nobody's
      const prompt = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text).join("\n")
      const name = command ? "command.execute.before" : "chat.message"
      const reason = await ask(directory, { hook_event_name: name, session_id: session, prompt })
      if (reason) throw new Error(reason)
    },
    "tool.execute.before": async (input, output) => {
      const session = await root(input.sessionID)
      const event = { hook_event_name: "tool.execute.before", session_id: session, tool_use_id: input.callID }
      const reason = await ask(directory, { ...event, tool_name: input.tool, tool_input: output.args })
      if (reason) throw new Error(reason)
    },
    "tool.execute.after": async (input, output) => {
      const session = await root(input.sessionID)
      const event = { hook_event_name: "tool.execute.after", session_id: session, tool_use_id: input.callID }
      const result = output.content ?? output.output ?? null
      const reason = await ask(directory, { ...event, tool_name: input.tool, tool_input: input.args, tool_response: result })
      if (!reason) return
      output.output = reason
      output.title = "withheld"
      output.metadata = {}
      if (output.content) output.content = [{ type: "text", text: reason }]
      if (output.structuredContent) output.structuredContent = {}
    },
  }
}
