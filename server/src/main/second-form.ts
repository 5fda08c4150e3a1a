import type { Handler } from '../binding/handler.ts';

/** The function of each operation of the second form. */
export const secondFormHandlers: readonly Handler[] = [];
