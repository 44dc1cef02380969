/** Of this package; sent as part of the User-Agent. */
export const VERSION = "0.1.0";
