import{B as n,C as o,D as p}from"./chunk-HVHT4WPY.js";function i(r){let t;return function(m){let[e,f]=o(()=>t);return p(()=>{e||r().then(l=>f(()=>t=l),()=>{})},[]),e?n(e,{...m}):null}}export{i as a};
