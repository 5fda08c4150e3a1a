/** Style sheets, which the bundle puts into one. */
declare module '*.css';
