import { type Follower, follow } from 'confab-testing/harness/event-stream.ts';
import type { Node } from 'confab-testing/nodes/node.ts';

/** A reader of the stream of events at one node, with the positions in the order of their arrival. */
export type NodeFollower = Follower & { readonly name: string; readonly positions: readonly number[] };

/** Starts to follow a node from the first event. */
export function followNode(node: Node): NodeFollower {
  const positions: number[] = [];
  const source = () => ({ url: node.process.url, credential: node.process.key });
  return { name: node.name, positions, ...follow(source, ({ position }) => void positions.push(position)) };
}
