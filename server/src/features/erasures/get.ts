import { erasureOperations } from 'confab-contract/erasures.ts';
import { notFound } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { findErasure, renderErasure } from './erasures.ts';

/** The receipt of an erasure. */
export const getErasure = handler(erasureOperations.getErasure, async ({ read, params }) => {
  const erasure = await findErasure(read, params.id);
  if (erasure === undefined) throw notFound('erasure');
  return renderErasure(erasure);
});
