/**
 * How many statements are kept: built ones in a process, prepared ones on each connection, and their texts. A server uses
 * fewer at a time, while lists alone have thousands of shapes, each of which takes 10 kB to a megabyte (decision 0173).
 */
export const keptStatementsMax = 400;
