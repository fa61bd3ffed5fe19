import{B as l,m as t,n as e}from"./chunk-HVHT4WPY.js";function o({game:s,options:r,open:n}){if(!e(`rules.${s}`))return null;let a=r?.halt&&e(`rules.halt.${r.halt}`)?t(`rules.halt.${r.halt}`):"";return l("details",{class:"rules",open:n,children:[l("summary",{children:t("rules.title")}),t(`rules.${s}`).split(`
`).map(u=>l("p",{children:u},u)),a&&l("p",{children:a})]})}export{o as a};
