/** What a browser of Chromium's family is started with. */
export interface ChromiumOptions {
  /** Where it keeps what it keeps: nothing of a person's. Absolute. */
  readonly profile: string;
  /** Of 127.0.0.1, where our proxy is found. */
  readonly proxyPort: number;
  /**
   * Whether it confines its own pages. Within a view it cannot, since nothing there makes namespaces,
   * and as root it does not.
   */
  readonly ownSandbox: boolean;
}

/** What would reach for the network unasked, or change under us. */
const FEATURES_OFF: readonly string[] = [
  "AimEnabled",
  "AutofillServerCommunication",
  "CertificateTransparencyComponentUpdater",
  "DestroyProfileOnBrowserClose",
  "DialMediaRouteProvider",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "InterestFeedContentSuggestions",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "OptimizationGuideModelDownloading",
  "OptimizationHintsFetching",
  "OptimizationTargetPrediction",
  "PaintHolding",
  "PreconnectToSearch",
  "SegmentationPlatform",
  "Translate",
];

/**
 * The arguments of a browser that is driven over descriptors 3 and 4, without its program. Every
 * connection goes to the proxy, those to this machine too, and no name is looked up here. Pure.
 */
export function chromiumArguments({ profile, proxyPort, ownSandbox }: ChromiumOptions): string[] {
  return [
    ...["--headless=new", "--remote-debugging-pipe", "--no-startup-window"],
    ...(ownSandbox ? [] : ["--no-sandbox"]),
    `--user-data-dir=${profile}`,
    ...[`--proxy-server=http://127.0.0.1:${proxyPort}`, "--proxy-bypass-list=<-loopback>"],
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    ...["--disable-quic", "--dns-prefetch-disable", "--disable-background-networking"],
    ...["--disable-component-update", "--disable-domain-reliability", "--disable-sync"],
    ...["--disable-client-side-phishing-detection", "--disable-field-trial-config"],
    ...["--disable-extensions", "--disable-default-apps", "--disable-breakpad"],
    "--disable-component-extensions-with-background-pages",
    ...["--metrics-recording-only", "--no-pings", "--no-first-run", "--no-default-browser-check"],
    "--no-service-autorun",
    `--disable-features=${FEATURES_OFF.join(",")}`,
    // Pages behave as if they were looked at.
    ...["--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows"],
    ...["--disable-renderer-backgrounding", "--disable-back-forward-cache"],
    // Its questions are no page's, and nobody sees them.
    ...["--disable-prompt-on-repost", "--disable-hang-monitor", "--deny-permission-prompts"],
    "--disable-search-engine-choice-screen",
    ...["--disable-gpu", "--disable-dev-shm-usage", "--mute-audio", "--hide-scrollbars"],
    ...["--password-store=basic", "--use-mock-keychain", "--force-color-profile=srgb"],
    "--window-size=1280,800",
  ];
}

/**
 * What browsers ask of their makers by themselves, whatever they are told; no page needs it. As rules
 * name hosts.
 */
export const BROWSER_OWN_HOSTS: readonly string[] = [
  "clients1.google.com",
  "clients2.google.com",
  "clients3.google.com",
  "clients4.google.com",
  "clientservices.googleapis.com",
  "update.googleapis.com",
  "optimizationguide-pa.googleapis.com",
  "content-autofill.googleapis.com",
  "safebrowsing.googleapis.com",
  "edgedl.me.gvt1.com",
  "redirector.gvt1.com",
  "edge.microsoft.com",
  "config.edge.skype.com",
  "msedge.api.cdp.microsoft.com",
];
