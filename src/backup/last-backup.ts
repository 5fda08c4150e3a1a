/** The setting of a store about its last backup: its id and when it was finished, as JSON. */
export const lastBackupSetting = 'last_backup';
