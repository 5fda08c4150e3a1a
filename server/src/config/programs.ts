import { setting, yesOrNo } from './values.ts';

/** The settings of programs that read and write as users do. */
export const programSettings = {
  mcp: setting('CONFAB_MCP', {
    kind: yesOrNo,
    default: 'no',
    sentence:
      'Whether programs may call at `/mcp`, by the Model Context Protocol, with an API key or an access token of their own ([docs/mcp.md](mcp.md)).',
  }),
  agents: setting('CONFAB_AGENTS', {
    kind: yesOrNo,
    default: 'no',
    sentence: 'Whether agents can answer through a model at an address ([docs/agents.md](agents.md)).',
  }),
};
