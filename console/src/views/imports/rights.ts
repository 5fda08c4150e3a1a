import { mayCall } from '../../session.ts';

/** Whether the caller may try and run imports. */
export function mayImport(): boolean {
  return mayCall('apps') && mayCall('users');
}

/** Whether the caller may take imports back. */
export function mayTakeBack(): boolean {
  return mayImport() && mayCall('moderate');
}
