/** How long a task runs before the page is drawn and hears of what is pressed, in milliseconds. */
const taskMs = 8;

/** Creates what lets the page go on when a task has run for a while. */
export function createBreathing(): () => Promise<unknown> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < taskMs) return undefined;
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        since = performance.now();
        resolve(undefined);
      };
      port2.postMessage(undefined);
    });
  };
}
