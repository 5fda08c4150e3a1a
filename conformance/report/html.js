/** @param {import('../index.d.ts').Report} report */
export function htmlReport(report) {
  return JSON.stringify(report);
}
